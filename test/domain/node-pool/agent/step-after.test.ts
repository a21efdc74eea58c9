import { describe, expect, test } from "vitest";
import type { Outcome } from "../../../../functions/domain/node-pool/agent/outcome.ts";
import { stepAfter, stepUnsent } from "../../../../functions/domain/node-pool/agent/step-after.ts";
import type { CommandInFlight } from "../../../../functions/domain/node-pool/report.ts";
import type { BootcNode } from "../../../../functions/domain/node-pool/types.ts";
import { after, noon } from "../../../support/workloads.ts";
import { digestC, imageA, imageB, imageC } from "../pools.ts";
import { asked, command, hasB, rebooting, runsA, runsB, statusOutput } from "./hosts.ts";

interface Case {
  readonly when: string;
  readonly of?: Partial<BootcNode>;
  readonly command?: Partial<CommandInFlight>;
  readonly outcome: Outcome;
  readonly seconds?: number;
  readonly step: object;
}

const ended = (output: string, problem: string | null = null): Outcome => ({ kind: "ended", output, problem });
const unreachable: Outcome = { kind: "unreachable", reason: "SSM does not reach i-1" };
const none = { kind: "none" };
const report = (of: object) => ({ kind: "report", report: expect.objectContaining(of) });
const going = (activity: string | null, of: object = {}) => report({ activity, error: null, ...of });
const failing = (error: string, of: object = {}) =>
  report({ activity: null, images: null, error: expect.stringContaining(error), ...of });
const asks = (image: string, of: object = {}) => ({
  kind: "send",
  command: { action: "status", image: "" },
  report: expect.objectContaining({ activity: "Rebooting", error: null, images: null, ...of }),
});
const about = (image: string) => ({ command: { id: null, kind: "status", image, at: noon, attempts: 0 } });

function check({ of, command: own, outcome, seconds = 15, step }: Case): void {
  const turn = { now: after(seconds / 60), rebootPolicy: "RebootOnly" } as const;
  expect(stepAfter(asked(of), command(own), outcome, turn)).toMatchObject(step);
}

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
  ])("$when", (one) => check({ ...stage, ...one }));
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
  ])("$when", (one) => check({ ...one, command: status }));
});

describe("a node that reboots", () => {
  test.for<Case>([
    { when: "has not begun", outcome: { kind: "running" }, step: none },
    { when: "may be back", outcome: { kind: "running" }, seconds: 91, step: asks(imageB, about(imageB)) },
    { when: "was perhaps never told", outcome: { kind: "unknown" }, seconds: 60, step: asks(imageB, about(imageB)) },
    { when: "was never told", outcome: unreachable, step: asks("", about("")) },
    { when: "says nothing that can be read", outcome: ended("", "no"), step: asks(imageB, about(imageB)) },
    { when: "is going down", outcome: ended(statusOutput(imageA, imageB)), step: asks(imageB, about(imageB)) },
    {
      when: "is back, where SSM ran the script once more",
      outcome: ended(statusOutput(imageB), "No staged deployment found"),
      step: going(null, { images: runsB, command: null }),
    },
    {
      when: "is back on the old image, where SSM ran the script once more",
      outcome: ended(statusOutput(imageA), "No staged deployment found"),
      step: failing("bootc apply failed: it runs sha256:aaa", { images: runsA }),
    },
    {
      when: "refused to",
      outcome: ended(statusOutput(imageA, imageB), "the sysroot is locked"),
      step: failing("bootc apply failed: the sysroot is locked", { images: hasB }),
    },
  ])("$when", (one) => check({ of: rebooting, ...one, command: { kind: "apply" } }));
});

describe("a node that is asked what it runs after its reboot", () => {
  const reverted = { ...rebooting, desiredImage: imageA } as const;
  test.for<Case>([
    { when: "is away", outcome: unreachable, step: asks(imageB, about(imageB)) },
    {
      when: "runs its image",
      outcome: ended(statusOutput(imageB)),
      step: going(null, { images: runsB, command: null }),
    },
    { when: "is still going down", outcome: ended(statusOutput(imageA, imageB)), step: asks(imageB, about(imageB)) },
    {
      when: "never went down",
      outcome: ended(statusOutput(imageA, imageB)),
      seconds: 600,
      step: failing("bootc apply failed: not down after 600 s", { images: hasB }),
    },
    {
      when: "came back on the old image",
      outcome: ended(statusOutput(imageA)),
      step: failing("bootc apply failed: it runs sha256:aaa", { images: runsA }),
    },
    {
      when: "is called back and still going down",
      of: reverted,
      outcome: ended(statusOutput(imageA, imageB)),
      step: asks(imageB, about(imageB)),
    },
    {
      when: "is called back and never went down",
      of: reverted,
      outcome: ended(statusOutput(imageA, imageB)),
      seconds: 600,
      step: going(null, { images: hasB, command: null }),
    },
    {
      when: "runs what it was told, and is asked for yet another",
      of: { ...rebooting, desiredImage: imageC },
      outcome: ended(statusOutput(imageB)),
      step: { kind: "send", command: { action: "stage", image: imageC } },
    },
  ])("$when", (one) => check({ of: rebooting, ...one, command: { kind: "status" } }));
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
  check({ when: "", outcome: ended(JSON.stringify(host)), step: going("Staged") });
});
