import { expect, test } from "vitest";
import { planAgentStep } from "../../../../functions/domain/node-pool/agent/next-command.ts";
import type { BootcNode } from "../../../../functions/domain/node-pool/node/bootc-node.ts";
import type { RebootPolicy } from "../../../../functions/domain/node-pool/pool/node-pool.ts";
import { after, noon } from "../../../support/workloads.ts";
import { imageA, imageB, imageC } from "../pools.ts";
import { approved, desiringB, command, digestA, digestB, rebooting } from "./hosts.ts";

interface Case {
  readonly when: string;
  readonly bootcNode?: Partial<BootcNode>;
  readonly policy?: RebootPolicy;
  readonly minutes?: number;
  readonly expected: object;
}

const staged: Partial<BootcNode> = { stagedDigest: digestB, idle: { activity: "Staged" } };
const toApply = command({ id: null, kind: "apply" });
const failed = { error: "stage failed", command: command({ id: null, attempts: 3 }) };
const noStep = { kind: "none" };
const reportStep = (fields: object) => ({
  kind: "report",
  report: expect.objectContaining({ error: null, images: null, ...fields }),
});
const sendStep = (action: string, image: string, fields: object = {}) => ({
  kind: "send",
  command: { action, image },
  report: expect.objectContaining({ error: null, images: null, observedGeneration: 1, ...fields }),
});
const sentCommand = (kind: string, image: string, attempts = 0) => ({
  command: { id: null, kind, image, at: noon, attempts },
});

test.for<Case>([
  {
    when: "its images are unknown",
    bootcNode: { bootedDigest: null, idle: null },
    expected: sendStep("status", "", sentCommand("status", "")),
  },
  {
    when: "its images are unknown after a reboot",
    bootcNode: { bootedDigest: null, idle: { activity: "Rebooting" } },
    expected: sendStep("status", "", { activity: "Rebooting" }),
  },
  {
    when: "it runs another image",
    expected: sendStep("stage", imageB, { activity: "Staging", ...sentCommand("stage", imageB) }),
  },
  {
    when: "it has staged another image",
    bootcNode: { ...staged, stagedDigest: digestA },
    expected: sendStep("stage", imageB),
  },
  {
    when: "its desired image has no digest",
    bootcNode: { desiredImage: "quay.io/example/myos:latest" },
    expected: noStep,
  },
  {
    when: "a command is in flight",
    bootcNode: { command: command() },
    expected: { kind: "check-result", id: "c-1", command: command() },
  },
  {
    when: "a command stages an image that is no longer desired",
    bootcNode: { command: command({ image: imageC, attempts: 4 }) },
    expected: sendStep("stage", imageB, sentCommand("stage", imageB)),
  },
  {
    when: "a command applies an image that is no longer desired",
    bootcNode: { command: command({ kind: "apply", image: imageC }) },
    expected: { kind: "check-result", id: "c-1" },
  },
  {
    when: "it is requested to keep its image while it stages another",
    bootcNode: { desiredImage: imageA, idle: { activity: "Staging" }, command: command() },
    expected: reportStep({ activity: null, command: null }),
  },
  { when: "it has staged its image and reported it", bootcNode: staged, expected: noStep },
  {
    when: "it has staged its image and reported another activity",
    bootcNode: { ...staged, idle: { activity: "Staging" } },
    expected: reportStep({ activity: "Staged", command: null }),
  },
  {
    when: "its reboot is revoked before it started",
    bootcNode: { ...rebooting, desiredImageState: "Staged", command: toApply },
    expected: reportStep({ activity: "Staged", command: null }),
  },
  {
    when: "its reboot is approved",
    bootcNode: approved,
    expected: reportStep({ activity: "Rebooting", command: { ...toApply, at: noon } }),
  },
  {
    when: "its reboot is approved and reported for another image",
    bootcNode: { ...rebooting, command: command({ id: null, kind: "apply", image: imageC }) },
    expected: reportStep({ activity: "Rebooting", command: toApply }),
  },
  {
    when: "its reboot is approved, and was reported before a failure",
    bootcNode: { ...rebooting, error: "no", command: { ...toApply, attempts: 1 } },
    minutes: 1,
    expected: reportStep({ activity: "Rebooting", command: { ...toApply, at: after(1), attempts: 1 } }),
  },
  {
    when: "its reboot is reported",
    bootcNode: { ...rebooting, command: toApply },
    expected: sendStep("apply", imageB, { activity: "Rebooting", ...sentCommand("apply", imageB) }),
  },
  {
    when: "its reboot is reported, with soft reboots allowed",
    bootcNode: { ...rebooting, command: toApply },
    policy: "AllowSoftReboot",
    expected: sendStep("apply-soft", imageB, sentCommand("apply", imageB)),
  },
  { when: "it runs its desired image and reported it", bootcNode: { bootedDigest: digestB }, expected: noStep },
  {
    when: "it never reported Idle",
    bootcNode: { bootedDigest: digestB, idle: null },
    expected: reportStep({ activity: null }),
  },
  {
    when: "it has not observed its spec",
    bootcNode: { bootedDigest: digestB, isObserved: false },
    expected: reportStep({ activity: null }),
  },
  {
    when: "it has an error of another agent",
    bootcNode: { bootedDigest: digestB, error: "no" },
    expected: reportStep({ activity: null, command: null }),
  },
  {
    when: "it has rebooted into its image",
    bootcNode: { bootedDigest: digestB, command: command({ id: null, attempts: 2 }) },
    expected: reportStep({ activity: null, command: null }),
  },
  { when: "it has just failed", bootcNode: failed, expected: noStep },
  { when: "it failed three times 19 s ago", bootcNode: failed, minutes: 19 / 60, expected: noStep },
  {
    when: "it failed three times 20 s ago",
    bootcNode: failed,
    minutes: 20 / 60,
    expected: sendStep("stage", imageB, { command: expect.objectContaining({ attempts: 3 }) }),
  },
  {
    when: "it failed for another image",
    bootcNode: { ...failed, desiredImage: imageC },
    expected: sendStep("stage", imageC, { command: expect.objectContaining({ attempts: 0 }) }),
  },
  {
    when: "it has staged its image after failures, which do not count as those of its reboot",
    bootcNode: { stagedDigest: digestB, command: command({ id: null, attempts: 3 }), idle: { activity: "Staging" } },
    expected: reportStep({ activity: "Staged", command: null }),
  },
])("a node for which $when", ({ bootcNode, policy = "RebootOnly", minutes = 0, expected }) => {
  const context = { now: after(minutes), rebootPolicy: policy, images: null };
  expect(planAgentStep(desiringB(bootcNode), context)).toMatchObject(expected);
});
