import { expect, test } from "vitest";
import { agentStep } from "../../../../functions/domain/node-pool/agent/agent-step.ts";
import type { BootcNode, RebootPolicy } from "../../../../functions/domain/node-pool/types.ts";
import { after, noon } from "../../../support/workloads.ts";
import { imageA, imageB, imageC } from "../pools.ts";
import { approved, asked, command, digestA, digestB, rebooting } from "./hosts.ts";

interface Case {
  readonly when: string;
  readonly of?: Partial<BootcNode>;
  readonly policy?: RebootPolicy;
  readonly minutes?: number;
  readonly step: object;
}

const staged: Partial<BootcNode> = { stagedDigest: digestB, idle: { activity: "Staged" } };
const toApply = command({ id: null, kind: "apply" });
const failed = { error: "stage failed", command: command({ id: null, attempts: 3 }) };
const none = { kind: "none" };
const report = (of: object) => ({
  kind: "report",
  report: expect.objectContaining({ error: null, images: null, ...of }),
});
const send = (action: string, image: string, of: object = {}) => ({
  kind: "send",
  command: { action, image },
  report: expect.objectContaining({ error: null, images: null, observedGeneration: 1, ...of }),
});
const sent = (kind: string, image: string, attempts = 0) => ({
  command: { id: null, kind, image, at: noon, attempts },
});

test.for<Case>([
  {
    when: "nothing is known of it",
    of: { bootedDigest: null, idle: null },
    step: send("status", "", sent("status", "")),
  },
  {
    when: "nothing is known of one that rebooted",
    of: { bootedDigest: null, idle: { activity: "Rebooting" } },
    step: send("status", "", { activity: "Rebooting" }),
  },
  { when: "it runs another image", step: send("stage", imageB, { activity: "Staging", ...sent("stage", imageB) }) },
  { when: "it has staged another image", of: { ...staged, stagedDigest: digestA }, step: send("stage", imageB) },
  { when: "it is asked for no digest", of: { desiredImage: "quay.io/example/myos:latest" }, step: none },
  { when: "a command is in flight", of: { command: command() }, step: { kind: "ask", id: "c-1", command: command() } },
  {
    when: "another image is staged for which it is no longer asked",
    of: { command: command({ image: imageC, attempts: 4 }) },
    step: send("stage", imageB, sent("stage", imageB)),
  },
  {
    when: "another image is applied for which it is no longer asked",
    of: { command: command({ kind: "apply", image: imageC }) },
    step: { kind: "ask", id: "c-1" },
  },
  {
    when: "it is called back to what it runs while it stages another",
    of: { desiredImage: imageA, idle: { activity: "Staging" }, command: command() },
    step: report({ activity: null, command: null }),
  },
  { when: "it has staged its image and says so", of: staged, step: none },
  {
    when: "it has staged its image and says something else",
    of: { ...staged, idle: { activity: "Staging" } },
    step: report({ activity: "Staged", command: null }),
  },
  {
    when: "its reboot is called off before it began",
    of: { ...rebooting, desiredImageState: "Staged", command: toApply },
    step: report({ activity: "Staged", command: null }),
  },
  {
    when: "it may reboot",
    of: approved,
    step: report({ activity: "Rebooting", command: { ...toApply, at: noon } }),
  },
  {
    when: "it may reboot and did not say of which image it does",
    of: { ...rebooting, command: command({ id: null, kind: "apply", image: imageC }) },
    step: report({ activity: "Rebooting", command: toApply }),
  },
  {
    when: "it may reboot and said so before it failed",
    of: { ...rebooting, error: "no", command: { ...toApply, attempts: 1 } },
    minutes: 1,
    step: report({ activity: "Rebooting", command: { ...toApply, at: after(1), attempts: 1 } }),
  },
  {
    when: "it is written down that it reboots",
    of: { ...rebooting, command: toApply },
    step: send("apply", imageB, { activity: "Rebooting", ...sent("apply", imageB) }),
  },
  {
    when: "it is written down that it reboots, softly if it can",
    of: { ...rebooting, command: toApply },
    policy: "AllowSoftReboot",
    step: send("apply-soft", imageB, sent("apply", imageB)),
  },
  { when: "it runs what it should and says so", of: { bootedDigest: digestB }, step: none },
  {
    when: "it never said that it is idle",
    of: { bootedDigest: digestB, idle: null },
    step: report({ activity: null }),
  },
  {
    when: "it has not seen its spec",
    of: { bootedDigest: digestB, isObserved: false },
    step: report({ activity: null }),
  },
  {
    when: "an error of another agent stands there",
    of: { bootedDigest: digestB, error: "no" },
    step: report({ activity: null, command: null }),
  },
  {
    when: "it came back on its image",
    of: { bootedDigest: digestB, command: command({ id: null, attempts: 2 }) },
    step: report({ activity: null, command: null }),
  },
  { when: "it has just failed", of: failed, step: none },
  { when: "it failed three times 19 s ago", of: failed, minutes: 19 / 60, step: none },
  {
    when: "it failed three times 20 s ago",
    of: failed,
    minutes: 20 / 60,
    step: send("stage", imageB, { command: expect.objectContaining({ attempts: 3 }) }),
  },
  {
    when: "it failed for another image",
    of: { ...failed, desiredImage: imageC },
    step: send("stage", imageC, { command: expect.objectContaining({ attempts: 0 }) }),
  },
  {
    when: "it has staged its image after it had failed",
    of: { stagedDigest: digestB, command: command({ id: null, attempts: 3 }), idle: { activity: "Staging" } },
    step: report({ activity: "Staged", command: command({ id: null, attempts: 3 }) }),
  },
  {
    when: "it has staged its image after it had failed, and says so",
    of: { ...staged, command: command({ id: null, attempts: 3 }) },
    step: none,
  },
])("a node of which $when", ({ of, policy = "RebootOnly", minutes = 0, step }) => {
  const turn = { now: after(minutes), rebootPolicy: policy, images: null };
  expect(agentStep(asked(of), turn)).toMatchObject(step);
});
