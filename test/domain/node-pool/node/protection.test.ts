import { expect, test } from "vitest";
import type { KubeNode } from "../../../../functions/domain/node-pool/node/bootc-node.ts";
import { planSteps } from "../../../../functions/domain/node-pool/step/plan-steps.ts";
import {
  formatProtection,
  parseProtection,
  protectionAnnotations,
} from "../../../../functions/domain/node-pool/node/protection.ts";
import { after, noon } from "../../../support/workloads.ts";
import { webPod } from "../simulation/world.ts";
import { approved, cordoned, member, poolState, slot, slotted, updated } from "../pools.ts";

const [karpenter = "", autoscaler = ""] = protectionAnnotations;
const unprotected: Partial<KubeNode> = { missingProtection: protectionAnnotations };
const protection = { pool: "workers", annotations: protectionAnnotations };
const byPawl: Partial<KubeNode> = { protection };
const manual = { ...slot, wasCordoned: true };

test.for([
  { when: "none", mark: "", annotations: { [karpenter]: "true" }, own: null },
  { when: "both", mark: `workers ${karpenter} ${autoscaler}`, own: protection },
  { when: "one", mark: `workers ${autoscaler}`, own: { pool: "workers", annotations: [autoscaler] } },
  { when: "one that was overwritten", mark: `workers ${karpenter}`, annotations: { [karpenter]: "false" }, own: [] },
  { when: "one that was removed", mark: `workers ${karpenter}`, annotations: {}, own: [] },
  {
    when: "one that is none",
    mark: "workers example.com/other",
    annotations: { "example.com/other": "true" },
    own: [],
  },
])("the mark of $when", ({ mark, annotations = { [karpenter]: "true", [autoscaler]: "true" }, own }) => {
  const expected = Array.isArray(own) ? { pool: "workers", annotations: own } : own;
  expect(parseProtection(mark, annotations)).toEqual(expected);
});

test("a mark is parsed as it is formatted", () => {
  expect(parseProtection(formatProtection(protection), { [karpenter]: "true", [autoscaler]: "true" })).toEqual(
    protection,
  );
});

test.for([
  { when: "before its cordon", node: member("w1", slotted, unprotected), step: "protect" },
  {
    when: "that others had cordoned",
    node: member("w1", { ...slotted, slot: manual }, { ...unprotected, unschedulable: true }),
    step: "protect",
  },
  {
    when: "of which one annotation is missing",
    node: member("w1", slotted, { missingProtection: [autoscaler] }),
    step: "protect",
  },
  { when: "that others protect", node: member("w1", slotted), step: "cordon" },
  { when: "that is protected", node: member("w1", slotted, byPawl), step: "cordon" },
  {
    when: "whose protection others have removed",
    node: member("w1", slotted, { protection: { pool: "workers", annotations: [] }, ...unprotected }),
    step: "cordon",
  },
  { when: "that reboots", node: member("w1", approved, { ...cordoned, ...unprotected }), step: "wait" },
  {
    when: "that is back, before it is uncordoned",
    node: member("w1", { ...updated, slot: { ...slot, bootedAt: noon } }, { ...byPawl, ...cordoned }),
    step: "uncordon",
  },
  {
    when: "that is back",
    node: member("w1", { ...updated, slot: { ...slot, bootedAt: noon } }, byPawl),
    step: "unprotect",
  },
  {
    when: "that has to stay Ready",
    node: member("w1", { ...updated, slot: { ...slot, bootedAt: after(5) } }, byPawl),
    step: "wait",
  },
  { when: "that lost its slot", node: member("w1", updated, byPawl), step: "unprotect" },
  { when: "that never had a slot", node: member("w1", updated, unprotected), step: "none" },
])("a node $when: $step", ({ node, step }) => {
  expect(planSteps(poolState([node], { now: after(5) }), new Map([["w1", [webPod]]]))).toMatchObject([
    { step: { kind: step } },
  ]);
});

const leaves = { labels: {} };

test.for([
  { when: "cordoned", node: member("w1", slotted, { ...leaves, ...cordoned, ...byPawl }), step: "uncordon" },
  { when: "protected", node: member("w1", slotted, { ...leaves, ...byPawl }), step: "unprotect" },
  { when: "not protected", node: member("w1", slotted, leaves), step: "delete" },
  {
    when: "protected, and has no BootcNode",
    node: { ...member("w1", {}, { ...leaves, ...byPawl }), bootcNode: null },
    step: "unprotect",
  },
  {
    when: "protected and cordoned, and has no BootcNode",
    node: { ...member("w1", {}, { ...leaves, ...cordoned, ...byPawl }), bootcNode: null },
    step: "unprotect",
  },
])("a node that leaves and is $when: $step", ({ node, step }) => {
  expect(planSteps(poolState([node]))).toMatchObject([{ step: { kind: step } }]);
});

test("a node that another pool protects is not touched", () => {
  const node = { ...member("w1", {}, { ...leaves, protection: { ...protection, pool: "infra" } }), bootcNode: null };
  expect(planSteps(poolState([node]))).toEqual([]);
});
