import { expect, test } from "vitest";
import {
  type BootcNodePatchStep,
  bootcNodePatch,
  type NodePatchStep,
  newBootcNode,
  nodePatch,
  onVersion,
} from "../../../functions/adapters/kubernetes/node-pools/step-patch.ts";
import { mergePatch } from "../../../infra/local/cluster/patch/merge-patch.ts";
import { pool } from "../../domain/node-pool/pools.ts";
import { refusals } from "./admission.ts";
import { bootcNode, node, runs, wanted } from "./admission-pool-samples.ts";

const now = new Date("2026-11-21T12:00:00Z");
const asks = { image: runs, pullSecretRef: { name: "a", namespace: "b" }, pullSecretHash: "sha256:1" };

/** One after the other, on the same Node. */
test("what step-nodes does to a Node, the admission policies let through", () => {
  const steps: readonly NodePatchStep["kind"][] = [
    "label",
    "cordon",
    "uncordon",
    "cordon",
    "leave-cordoned",
    "unlabel",
  ];
  let before: object = node;
  for (const kind of steps) {
    const object = mergePatch(before, onVersion("7", nodePatch({ kind }, pool()))) as object;
    expect(object).not.toEqual(before);
    const request = { operation: "UPDATE", resource: "nodes", oldObject: before, object } as const;
    expect(refusals({ ...request, groups: ["pawl:node-updaters"] })).toEqual([]);
    expect(refusals({ ...request, groups: ["pawl:drainers"] })).not.toEqual([]);
    before = object;
  }
});

test("what is done to a BootcNode, the admission policies let through to its own group", () => {
  const steps: readonly (readonly ["pawl:node-updaters" | "pawl:drainers", BootcNodePatchStep])[] = [
    ["pawl:node-updaters", { kind: "free-slot" }],
    ["pawl:node-updaters", { kind: "take-slot", wasCordoned: false, nodeUid: "u-1" }],
    ["pawl:node-updaters", { kind: "remember-cordon", wasCordoned: true }],
    ["pawl:drainers", { kind: "restart-drain", reason: "" }],
    ["pawl:drainers", { kind: "approve" }],
    ["pawl:node-updaters", { kind: "ask", asks: { ...asks, image: wanted }, isNewImage: false, state: "Booted" }],
    ["pawl:node-updaters", { kind: "revoke" }],
    ["pawl:drainers", { kind: "approve" }],
    ["pawl:node-updaters", { kind: "ask", asks, isNewImage: true, state: "Staged" }],
    ["pawl:node-updaters", { kind: "free-slot" }],
  ];
  let before: object = bootcNode;
  for (const [group, step] of steps) {
    const object = mergePatch(before, onVersion("7", bootcNodePatch(step, now))) as object;
    expect(object).not.toEqual(before);
    const request = { operation: "UPDATE", resource: "bootcnodes.node.bootc.dev", oldObject: before, object } as const;
    expect([step.kind, refusals({ ...request, groups: [group] })]).toEqual([step.kind, []]);
    expect(refusals({ ...request, groups: ["pawl:node-agents"] })).not.toEqual([]);
    before = object;
  }
});

test("the BootcNodes that step-nodes makes, the admission policies let through", () => {
  const object = newBootcNode("worker-1", { kind: "create", asks }, pool(), now);
  const resource = "bootcnodes.node.bootc.dev";
  expect(refusals({ operation: "CREATE", resource, groups: ["pawl:node-updaters"], oldObject: null, object })).toEqual(
    [],
  );
});
