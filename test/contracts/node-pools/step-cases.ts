import { expect } from "vitest";
import { startAnalysis } from "../../../functions/domain/analysis/measure.ts";
import { formatAnalysisState } from "../../../functions/domain/analysis/state.ts";
import type { NodeWrite } from "../../../functions/ports/node-pools.ts";
import { imageA, imageB, type Metadata } from "./fixtures.ts";

type ResultIfGone = "done" | "Conflict";

interface NodeCase {
  readonly step: NodeWrite;
  readonly result: string;
  readonly from: Metadata;
  readonly spec?: object;
  readonly expected: (pool: string) => object;
  readonly ifGone: ResultIfGone;
}

const mark = "pawl.dev/cordoned-by-pool";
const protectionMark = "pawl.dev/protected-by-pool";
const [karpenter, autoscaler] = ["karpenter.sh/do-not-disrupt", "cluster-autoscaler.kubernetes.io/scale-down-disabled"];
const others = { labels: { "example.com/pool": "workers" }, annotations: { "example.com/other": "manual" } };
const marked = { ...others, annotations: { ...others.annotations, [mark]: "workers" } };
const cordoned = { unschedulable: true };

const run = startAnalysis(new Date("2026-11-20T12:00:00Z"));

export const nodeWrites: readonly NodeCase[] = [
  {
    step: { kind: "label" },
    result: "the label is added to the labels of others",
    from: others,
    expected: () => ({ metadata: { labels: { "example.com/pool": "workers", "bootc.dev/managed": "" } } }),
    ifGone: "Conflict",
  },
  {
    step: { kind: "unlabel" },
    result: "only the label of Pawl is removed",
    from: { ...others, labels: { ...others.labels, "bootc.dev/managed": "" } },
    expected: () => ({ metadata: { labels: expect.not.objectContaining({ "bootc.dev/managed": "" }) } }),
    ifGone: "done",
  },
  {
    step: { kind: "cordon" },
    result: "cordoned and marked",
    from: others,
    expected: (pool) => ({ metadata: { annotations: { [mark]: pool } }, spec: cordoned }),
    ifGone: "Conflict",
  },
  {
    step: { kind: "protect" },
    result: "the annotations that are missing are added, and those of others kept",
    from: { annotations: { ...others.annotations, [karpenter]: "false" } },
    expected: (pool) => ({
      metadata: {
        annotations: {
          ...others.annotations,
          [karpenter]: "false",
          [autoscaler]: "true",
          [protectionMark]: `${pool} ${autoscaler}`,
        },
      },
    }),
    ifGone: "Conflict",
  },
  {
    step: { kind: "unprotect" },
    result: "only what Pawl added is removed",
    from: {
      annotations: { [karpenter]: "true", [autoscaler]: "true", [protectionMark]: `workers ${autoscaler}` },
    },
    expected: () => ({
      metadata: {
        // The API server of the tests adds annotations of its own to a Node.
        annotations: expect.toSatisfy(
          (kept: Readonly<Record<string, string>>) =>
            kept[karpenter] === "true" && kept[autoscaler] === undefined && kept[protectionMark] === undefined,
        ),
      },
    }),
    ifGone: "done",
  },
  {
    step: { kind: "uncordon" },
    result: "uncordoned and unmarked",
    from: marked,
    spec: cordoned,
    expected: () => ({
      metadata: { annotations: expect.not.objectContaining({ [mark]: "workers" }) },
      spec: expect.not.objectContaining(cordoned),
    }),
    ifGone: "done",
  },
  {
    step: { kind: "leave-cordoned" },
    result: "unmarked and still cordoned",
    from: marked,
    spec: cordoned,
    expected: () => ({
      metadata: { annotations: expect.not.objectContaining({ [mark]: "workers" }) },
      spec: cordoned,
    }),
    ifGone: "done",
  },
];

interface BootcNodeCase {
  readonly step: NodeWrite;
  readonly result: string;
  readonly from: { readonly spec?: object; readonly metadata?: Metadata };
  readonly expected: { readonly spec: object; readonly annotations: object };
  readonly ifGone: ResultIfGone;
}

const noon = "2026-11-20T12:00:00Z";
const before = "2026-11-20T11:00:00Z";
const other = { "example.com/other": "manual" };
const requested = { "pawl.dev/image-requested-at": before };
const slot = {
  "bootc.dev/in-reboot-slot": "true",
  "bootc.dev/was-cordoned": "false",
  "pawl.dev/slot-acquired-at": before,
  "pawl.dev/slot-node-uid": "node-uid",
};
const approved = { ...slot, "pawl.dev/reboot-approved-at": before };
const staged = { desiredImage: imageA, desiredImageState: "Staged" };
const booted = { desiredImage: imageA, desiredImageState: "Booted" };
const secret = { pullSecretRef: { name: "pull", namespace: "shop" }, pullSecretHash: "sha256:1" };
const at = (annotations: Readonly<Record<string, string>>, spec: object = staged) => ({
  spec,
  metadata: { annotations: { ...other, ...requested, ...annotations } },
});
const expectedObject = (annotations: Readonly<Record<string, string>>, spec: object = staged) => ({
  spec,
  annotations: { ...other, ...requested, ...annotations },
});

export const bootcNodeWrites: readonly BootcNodeCase[] = [
  {
    step: { kind: "request-image", desired: { image: imageB, ...secret }, isNewImage: true, state: "Staged" },
    result: "a new image is requested now and is not approved",
    from: at({ ...approved, "pawl.dev/drain-given-back": `1 ${before}` }, booted),
    expected: expectedObject(
      { ...slot, "pawl.dev/image-requested-at": noon },
      { desiredImage: imageB, desiredImageState: "Staged", ...secret },
    ),
    ifGone: "Conflict",
  },
  {
    step: { kind: "request-image", desired: { image: imageA, ...secret }, isNewImage: false, state: "Booted" },
    result: "a new secret keeps the approval",
    from: at(approved, booted),
    expected: expectedObject(approved, { ...booted, ...secret }),
    ifGone: "Conflict",
  },
  {
    step: { kind: "revoke" },
    result: "the approval is removed, and the slot stays",
    from: at(approved, booted),
    expected: expectedObject(slot),
    ifGone: "Conflict",
  },
  {
    step: { kind: "acquire-slot", wasCordoned: true, nodeUid: "another", bootId: "boot-2" },
    result: "all annotations of the slot, and none of the previous slot",
    from: at({ ...approved, "pawl.dev/ready-daemon-sets": "a/b", "pawl.dev/image-booted-at": before }),
    expected: expectedObject({
      ...slot,
      "bootc.dev/was-cordoned": "true",
      "pawl.dev/slot-acquired-at": noon,
      "pawl.dev/slot-node-uid": "another",
      "pawl.dev/slot-boot-id": "boot-2",
    }),
    ifGone: "Conflict",
  },
  {
    step: { kind: "record-cordon", wasCordoned: true },
    result: "only was-cordoned changes",
    from: at(slot),
    expected: expectedObject({ ...slot, "bootc.dev/was-cordoned": "true" }),
    ifGone: "Conflict",
  },
  {
    step: { kind: "restart-drain", reason: "1 left after 60 s" },
    result: "the drain starts now",
    from: at({ ...slot, "pawl.dev/drain-started-at": before }),
    expected: expectedObject({ ...slot, "pawl.dev/drain-started-at": noon }),
    ifGone: "Conflict",
  },
  {
    step: { kind: "record-block", reason: "shop/web: the budget needs 1" },
    result: "what blocks the drain",
    from: at({ ...slot, "pawl.dev/drain-blocked-by": "another" }),
    expected: expectedObject({ ...slot, "pawl.dev/drain-blocked-by": "shop/web: the budget needs 1" }),
    ifGone: "Conflict",
  },
  {
    step: { kind: "release-slot", givenBack: 2 },
    result: "the slot is removed, and how often it was given back is recorded",
    from: at({ ...slot, "pawl.dev/drain-given-back": `1 ${before}`, "pawl.dev/drain-blocked-by": "shop/web" }),
    expected: expectedObject({ "pawl.dev/drain-given-back": `2 ${noon}`, "pawl.dev/drain-blocked-by": "shop/web" }),
    ifGone: "done",
  },
  {
    step: { kind: "approve", readyDaemonSets: ["kube-system/cilium", "logs/agent"] },
    result: "the approval, its time and the DaemonSets that are Ready",
    from: at(slot),
    expected: expectedObject(
      { ...slot, "pawl.dev/reboot-approved-at": noon, "pawl.dev/ready-daemon-sets": "kube-system/cilium logs/agent" },
      booted,
    ),
    ifGone: "Conflict",
  },
  {
    step: { kind: "approve", readyDaemonSets: [] },
    result: "those of an earlier approval are removed",
    from: at({
      ...slot,
      "pawl.dev/ready-daemon-sets": "kube-system/cilium",
      "pawl.dev/drain-given-back": `1 ${before}`,
      "pawl.dev/drain-blocked-by": "shop/web",
    }),
    expected: expectedObject({ ...slot, "pawl.dev/reboot-approved-at": noon }, booted),
    ifGone: "Conflict",
  },
  {
    step: { kind: "record-boot" },
    result: "the time is recorded, and nothing else",
    from: at({ ...approved, "pawl.dev/image-booted-at": before }, booted),
    expected: expectedObject({ ...approved, "pawl.dev/image-booted-at": noon }, booted),
    ifGone: "Conflict",
  },
  {
    step: { kind: "record-analysis", state: run },
    result: "what was measured is recorded, and nothing else",
    from: at({ ...approved, "pawl.dev/image-booted-at": before }, booted),
    expected: expectedObject(
      { ...approved, "pawl.dev/image-booted-at": before, "pawl.dev/node-analysis": formatAnalysisState(run) },
      booted,
    ),
    ifGone: "Conflict",
  },
  {
    step: { kind: "release-slot" },
    result: "every annotation of the slot is removed",
    from: at(
      {
        ...approved,
        "pawl.dev/slot-boot-id": "boot-1",
        "pawl.dev/ready-daemon-sets": "a/b",
        "pawl.dev/drain-started-at": before,
        "pawl.dev/image-booted-at": before,
        "pawl.dev/node-analysis": formatAnalysisState(run),
      },
      booted,
    ),
    expected: expectedObject({}, booted),
    ifGone: "done",
  },
];
