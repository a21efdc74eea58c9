import { describe, expect, test } from "vitest";
import { onSendFailure } from "../../../../functions/domain/node-pool/agent/handle-outcome.ts";
import { after, noon } from "../../../support/workloads.ts";
import { digestC, imageA, imageB } from "../pools.ts";
import { desiringB, command, hasB, rebooting, runsA, runsB, statusOutput } from "./hosts.ts";
import {
  statusCommand,
  queriesStatus,
  type Case,
  ended,
  reportsError,
  nextStep,
  reportsActivity,
  noStep,
  unreachable,
} from "./outcome-cases.ts";

describe("a node that stages", () => {
  const stage = { bootc: { idle: { activity: "Staging" } } } as const;
  test.for<Case>([
    { when: "the command is running", outcome: { kind: "running" }, seconds: 3_000, expected: noStep },
    { when: "SSM does not know the command yet", outcome: { kind: "unknown" }, expected: noStep },
    {
      when: "SSM does not know the command",
      outcome: { kind: "unknown" },
      seconds: 60,
      expected: reportsError("SSM does not know"),
    },
    {
      when: "it has staged the image",
      outcome: ended(statusOutput(imageA, imageB)),
      expected: reportsActivity("Staged", { images: hasB, command: null }),
    },
    {
      when: "it had already booted the image",
      outcome: ended(statusOutput(imageB)),
      expected: reportsActivity(null, { images: runsB }),
    },
    {
      when: "it has staged nothing",
      outcome: ended(statusOutput(imageA)),
      expected: reportsError("bootc stage failed: bootc has staged another image", { images: runsA }),
    },
    {
      when: "it failed",
      outcome: ended(statusOutput(imageA), "no such manifest"),
      expected: reportsError("bootc stage failed: no such manifest", {
        images: runsA,
        command: { id: null, kind: "stage", image: imageB, at: after(0.25), attempts: 1 },
      }),
    },
    {
      when: "it failed without output",
      outcome: ended("", "exit status 127"),
      expected: reportsError("failed: exit status 127"),
    },
    { when: "it has no output", outcome: ended(""), expected: reportsError("is not output of bootc status") },
    {
      when: "it failed again",
      command: { attempts: 4 },
      outcome: unreachable,
      expected: reportsError("SSM cannot reach i-1", { command: expect.objectContaining({ attempts: 5 }) }),
    },
  ])("$when", (one) => {
    expect(nextStep({ ...stage, ...one })).toMatchObject(one.expected);
  });
});

describe("a node whose status is queried", () => {
  const status = { kind: "status", image: "" } as const;
  test.for<Case>([
    { when: "is unreachable", outcome: unreachable, expected: reportsError("cannot reach") },
    {
      when: "fails without output",
      outcome: ended("", "exit status 1"),
      expected: reportsError("bootc status failed: exit status 1"),
    },
    {
      when: "fails with output",
      outcome: ended(statusOutput(imageA), "exit status 1"),
      expected: reportsError("bootc status failed: exit status 1", { images: runsA }),
    },
    {
      when: "runs the desired image",
      outcome: ended(statusOutput(imageB)),
      expected: reportsActivity(null, { images: runsB }),
    },
    {
      when: "runs another image",
      outcome: ended(statusOutput(imageA)),
      expected: {
        kind: "send",
        command: { action: "stage", image: imageB },
        report: { images: runsA, activity: "Staging" },
      },
    },
    {
      when: "is unreachable because it reboots",
      bootcNode: { idle: { activity: "Rebooting" } },
      outcome: unreachable,
      expected: queriesStatus("", statusCommand("")),
    },
  ])("$when", (one) => {
    expect(nextStep({ ...one, command: status })).toMatchObject(one.expected);
  });
});

test.for([
  { when: "stages", bootc: {}, kind: "stage", step: reportsError("away") },
  { when: "is queried", bootc: {}, kind: "status", step: reportsError("away") },
  { when: "reboots", bootc: rebooting, kind: "apply", step: noStep },
] as const)("a node that $when and cannot be sent a command", ({ bootc, kind, step }) => {
  const image = kind === "status" ? "" : imageB;
  const context = { now: noon, rebootPolicy: "RebootOnly" } as const;
  expect(onSendFailure(desiringB(bootc), command({ kind, image }), "away", context)).toMatchObject(step);
});

test("the digest of an architecture matches if the reference names the desired index", () => {
  const host = JSON.parse(statusOutput(imageA, imageB));
  host.status.staged.image.imageDigest = digestC;
  expect(nextStep({ outcome: ended(JSON.stringify(host)) })).toMatchObject(reportsActivity("Staged"));
});
