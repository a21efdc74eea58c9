import { expect, test } from "vitest";
import { type NodeObject, readNode } from "../../../functions/adapters/kubernetes/node-pools/node-object.ts";
import {
  type BootcNodePatchStep,
  bootcNodePatch,
  type NodePatchStep,
  createBootcNodeBody,
  nodePatch,
  withResourceVersion,
} from "../../../functions/adapters/kubernetes/node-pools/step-patch.ts";
import { mergePatch } from "../../../infra/local/kubernetes/patch/apply.ts";
import { pool } from "../../domain/node-pool/pools.ts";
import { createDenials, updateDenials } from "./admission.ts";
import { bootcNode, bootedImage, node as sample, targetImage } from "./admission-pool-samples.ts";

const bootcNodes = "bootcnodes.node.bootc.dev";
const now = new Date("2026-11-21T12:00:00Z");
const desired = { image: bootedImage, pullSecretRef: { name: "a", namespace: "b" }, pullSecretHash: "sha256:1" };

/** The steps run in sequence on the same Node. */
test("the policies admit every change that reconcile-nodes makes to a Node", () => {
  const steps: readonly NodePatchStep["kind"][] = [
    "label",
    "protect",
    "cordon",
    "uncordon",
    "unprotect",
    "cordon",
    "leave-cordoned",
    "unlabel",
  ];
  const node: NodeObject = {
    ...sample,
    metadata: { ...sample.metadata, name: "w1", uid: "u-1", resourceVersion: "7" },
  };
  let before = node;
  for (const kind of steps) {
    const object = mergePatch(
      before,
      withResourceVersion("7", nodePatch({ kind }, pool(), readNode(before, "full"))),
    ) as NodeObject;
    expect(object).not.toEqual(before);
    expect(updateDenials("nodes", "pawl:node-updaters", before, object)).toEqual([]);
    expect(updateDenials("nodes", "pawl:drainers", before, object)).not.toEqual([]);
    before = object;
  }
  expect(before.metadata).toEqual(node.metadata);
});

test("the policies admit every change of a BootcNode, and only to its own group", () => {
  const steps: readonly (readonly ["pawl:node-updaters" | "pawl:drainers", BootcNodePatchStep])[] = [
    ["pawl:node-updaters", { kind: "release-slot" }],
    ["pawl:node-updaters", { kind: "acquire-slot", wasCordoned: false, nodeUid: "u-1" }],
    ["pawl:node-updaters", { kind: "record-cordon", wasCordoned: true }],
    ["pawl:drainers", { kind: "restart-drain", reason: "" }],
    ["pawl:drainers", { kind: "approve" }],
    [
      "pawl:node-updaters",
      { kind: "request-image", desired: { ...desired, image: targetImage }, isNewImage: false, state: "Booted" },
    ],
    ["pawl:node-updaters", { kind: "revoke" }],
    ["pawl:drainers", { kind: "approve" }],
    ["pawl:node-updaters", { kind: "record-boot" }],
    ["pawl:node-updaters", { kind: "request-image", desired, isNewImage: true, state: "Staged" }],
    ["pawl:node-updaters", { kind: "release-slot" }],
  ];
  let before: object = bootcNode;
  for (const [group, step] of steps) {
    const object = mergePatch(before, withResourceVersion("7", bootcNodePatch(step, now))) as object;
    expect(object).not.toEqual(before);
    expect([step.kind, updateDenials(bootcNodes, group, before, object)]).toEqual([step.kind, []]);
    expect(updateDenials(bootcNodes, "pawl:node-agents", before, object)).not.toEqual([]);
    before = object;
  }
});

test("the policies admit the BootcNodes that reconcile-nodes creates", () => {
  const object = createBootcNodeBody("worker-1", { kind: "create", desired }, pool(), now);
  expect(createDenials(bootcNodes, "pawl:node-updaters", object)).toEqual([]);
});
