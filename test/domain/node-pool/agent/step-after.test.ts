import { describe, expect, test } from "vitest";
import { stepUnsent } from "../../../../functions/domain/node-pool/agent/step-after.ts";
import { after, noon } from "../../../support/workloads.ts";
import { digestC, imageA, imageB } from "../pools.ts";
import { asked, command, hasB, rebooting, runsA, runsB, statusOutput } from "./hosts.ts";
import { about, asks, type Case, ended, failing, following, going, none, unreachable } from "./outcome-cases.ts";

describe("a node that stages", () => {
  const stage = { of: { idle: { activity: "Staging" } } } as const;
  test.for<Case>([
    { when: "it is at it", outcome: { kind: "running" }, seconds: 3_000, step: none },
    { when: "SSM does not know of it yet", outcome: { kind: "unknown" }, step: none },
    { when: "SSM knows nothing of it", outcome: { kind: "unknown" }, seconds: 60, step: failing("nothing is known") },
    {
      when: "it did",
      outcome: ended(statusOutput(imageA, imageB)),
      step: going("Staged", { images: hasB, command: null }),
    },
    { when: "it had booted it already", outcome: ended(statusOutput(imageB)), step: going(null, { images: runsB }) },
    {
      when: "it staged nothing",
      outcome: ended(statusOutput(imageA)),
      step: failing("bootc stage failed: bootc has staged another image", { images: runsA }),
    },
    {
      when: "it failed",
      outcome: ended(statusOutput(imageA), "no such manifest"),
      step: failing("bootc stage failed: no such manifest", {
        images: runsA,
        command: { id: null, kind: "stage", image: imageB, at: after(0.25), attempts: 1 },
      }),
    },
    {
      when: "it failed and says nothing",
      outcome: ended("", "exit status 127"),
      step: failing("failed: exit status 127"),
    },
    { when: "it says nothing", outcome: ended(""), step: failing("is not what bootc status prints") },
    {
      when: "it failed again",
      command: { attempts: 4 },
      outcome: unreachable,
      step: failing("SSM does not reach i-1", { command: expect.objectContaining({ attempts: 5 }) }),
    },
  ])("$when", (one) => {
    expect(following({ ...stage, ...one })).toMatchObject(one.step);
  });
});

describe("a node that is asked what it runs", () => {
  const status = { kind: "status", image: "" } as const;
  test.for<Case>([
    { when: "and does not answer", outcome: unreachable, step: failing("does not reach") },
    {
      when: "and cannot tell",
      outcome: ended("", "exit status 1"),
      step: failing("bootc status failed: exit status 1"),
    },
    {
      when: "and fails all the same",
      outcome: ended(statusOutput(imageA), "exit status 1"),
      step: failing("bootc status failed: exit status 1", { images: runsA }),
    },
    { when: "and runs what it should", outcome: ended(statusOutput(imageB)), step: going(null, { images: runsB }) },
    {
      when: "and runs another image",
      outcome: ended(statusOutput(imageA)),
      step: {
        kind: "send",
        command: { action: "stage", image: imageB },
        report: { images: runsA, activity: "Staging" },
      },
    },
    {
      when: "and does not answer, since it reboots",
      of: { idle: { activity: "Rebooting" } },
      outcome: unreachable,
      step: asks("", about("")),
    },
  ])("$when", (one) => {
    expect(following({ ...one, command: status })).toMatchObject(one.step);
  });
});

test.for([
  { when: "stages", of: {}, kind: "stage", step: failing("away") },
  { when: "is asked what it runs", of: {}, kind: "status", step: failing("away") },
  { when: "reboots", of: rebooting, kind: "apply", step: none },
] as const)("a node that $when and cannot be sent a command", ({ of, kind, step }) => {
  const image = kind === "status" ? "" : imageB;
  const turn = { now: noon, rebootPolicy: "RebootOnly" } as const;
  expect(stepUnsent(asked(of), command({ kind, image }), "away", turn)).toMatchObject(step);
});

test("a digest of a node's own architecture counts where its reference names the one that is asked for", () => {
  const host = JSON.parse(statusOutput(imageA, imageB));
  host.status.staged.image.imageDigest = digestC;
  expect(following({ outcome: ended(JSON.stringify(host)) })).toMatchObject(going("Staged"));
});
