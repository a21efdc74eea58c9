import { expect, test } from "vitest";
import { type NodeObject, readNode } from "../../../functions/adapters/kubernetes/node-pools/node-object.ts";
import {
  type BootcNodePatchStep,
  bootcNodePatch,
  type NodePatchStep,
  createBootcNodeBody,
  nodePatch,
} from "../../../functions/adapters/kubernetes/node-pools/step-patch.ts";
import { applyMergePatch } from "../../../infra/local/kubernetes/patch/apply.ts";
import { pool } from "../../domain/node-pool/pools.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { anything, createDenial, type Sample, updateDenial } from "./admission.ts";
import { bootcNode, bootedImage, node as sample, targetImage } from "./pool-samples.ts";

const bootcNodes = "bootcnodes.node.bootc.dev";
const now = new Date("2026-11-21T12:00:00Z");
const desired = { image: bootedImage, pullSecretRef: { name: "a", namespace: "b" }, pullSecretHash: "sha256:1" };

describeOnRealCluster("what the functions of node pools write", () => {
  /** The steps run in sequence on the same Node. */
  test("may be written to a Node by node-updaters", async () => {
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
    const metadata = { ...sample.metadata, name: "w1", uid: "u-1", resourceVersion: "" };
    const node: NodeObject = { ...sample, metadata };
    let before = node;
    for (const kind of steps) {
      const { spec, ...changes } = nodePatch({ kind }, pool(), readNode(before, "full"));
      const object = applyMergePatch(before, { metadata: changes, ...(spec && { spec }) }) as NodeObject;
      expect(object).not.toEqual(before);
      expect(await updateDenial("nodes", "pawl:node-updaters", before, object)).toBeNull();
      expect(await updateDenial("nodes", ["pawl:drainers", anything], before, object)).toMatch(/^pawl-nodes: /);
      before = object;
    }
    expect(before.metadata).toEqual(node.metadata);
  });

  test("may be written to a BootcNode, each by its own group", async () => {
    const steps: readonly (readonly ["pawl:node-updaters" | "pawl:drainers", BootcNodePatchStep])[] = [
      ["pawl:node-updaters", { kind: "release-slot" }],
      ["pawl:node-updaters", { kind: "acquire-slot", wasCordoned: false, nodeUid: "u-1", bootId: null }],
      ["pawl:node-updaters", { kind: "record-cordon", wasCordoned: true }],
      ["pawl:drainers", { kind: "restart-drain", reason: "" }],
      ["pawl:drainers", { kind: "approve", readyDaemonSets: [] }],
      [
        "pawl:node-updaters",
        { kind: "request-image", desired: { ...desired, image: targetImage }, isNewImage: false, state: "Booted" },
      ],
      ["pawl:node-updaters", { kind: "revoke" }],
      ["pawl:drainers", { kind: "approve", readyDaemonSets: [] }],
      ["pawl:node-updaters", { kind: "record-boot" }],
      ["pawl:node-updaters", { kind: "request-image", desired, isNewImage: true, state: "Staged" }],
      ["pawl:node-updaters", { kind: "release-slot" }],
    ];
    let before: Sample = bootcNode;
    for (const [group, step] of steps) {
      const { spec, ...metadata } = bootcNodePatch(step, now);
      const object = applyMergePatch(before, { metadata, ...(spec && { spec }) }) as Sample;
      expect(object).not.toEqual(before);
      expect(await updateDenial(bootcNodes, group, before, object), step.kind).toBeNull();
      expect(await updateDenial(bootcNodes, "pawl:node-agents", before, object)).toMatch(/^pawl-bootc-nodes: /);
      before = object;
    }
  });

  test("may be created by node-updaters", async () => {
    const object = createBootcNodeBody("worker-1", { kind: "create", desired }, pool(), now) as Sample;
    expect(await createDenial(bootcNodes, "pawl:node-updaters", object)).toBeNull();
  });
});
