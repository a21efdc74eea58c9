import { expect, test } from "vitest";
import type { ObjectChange } from "./object-changes.ts";
import { findViolations } from "./invariants.ts";
import { metadataKeys } from "./objects.ts";

const image = "quay.io/example/os@sha256:b";

interface NodeState {
  readonly cordoned?: boolean;
  readonly mark?: boolean;
  readonly protection?: boolean;
  readonly ready?: boolean;
}

interface BootcNodeState {
  readonly slot?: boolean;
  readonly state?: "Staged" | "Booted";
  readonly desired?: string;
  readonly staged?: string;
}

type Step =
  | { readonly node: string; readonly is: NodeState }
  | { readonly bootcNode: string; readonly is: BootcNodeState | null }
  | { readonly pod: string; readonly on: string; readonly controller?: string; readonly isGone?: boolean };

const cordonedByPawl = { cordoned: true, mark: true };
const slot = { slot: true, staged: "sha256:b" };
const booted = { ...slot, state: "Booted" } as const;
const cordoned: readonly Step[] = [
  { bootcNode: "w1", is: { staged: "sha256:b" } },
  { bootcNode: "w1", is: slot },
  { node: "w1", is: cordonedByPawl },
];

test.for<{ when: string; steps: readonly Step[]; broken?: string; manualRevision?: number }>([
  {
    when: "a node acquires a slot, is cordoned, drained and rebooted, and releases everything",
    steps: [
      { pod: "web", on: "w1" },
      { pod: "agent", on: "w1", controller: "DaemonSet" },
      ...cordoned,
      { pod: "web", on: "w1", isGone: true },
      { bootcNode: "w1", is: booted },
      { node: "w1", is: {} },
      { bootcNode: "w1", is: { state: "Booted" } },
    ],
  },
  {
    when: "a pod remains",
    steps: [{ pod: "web", on: "w1" }, ...cordoned, { bootcNode: "w1", is: booted }],
    broken: "with web on it",
  },
  {
    when: "a reboot is approved before the cordon",
    steps: [...cordoned.slice(0, 2), { bootcNode: "w1", is: booted }],
    broken: "it is not cordoned",
  },
  {
    when: "a reboot is approved for another image than is staged",
    steps: [...cordoned, { bootcNode: "w1", is: { ...booted, staged: "sha256:a" } }],
    broken: "for an image that is not staged",
  },
  {
    when: "a reboot is approved without a slot",
    steps: [...cordoned, { bootcNode: "w1", is: { ...booted, slot: false } }],
    broken: "approved without a slot",
  },
  {
    when: "another image is requested while a reboot is approved",
    steps: [
      ...cordoned,
      { bootcNode: "w1", is: booted },
      { bootcNode: "w1", is: { ...booted, desired: "quay.io/example/os@sha256:c", staged: "sha256:c" } },
    ],
    broken: "without revoking its reboot",
  },
  {
    when: "a node is cordoned without a slot",
    steps: [{ node: "w1", is: cordonedByPawl }],
    broken: "cordoned without a slot",
  },
  {
    when: "more slots than allowed are held",
    steps: [...cordoned, { bootcNode: "w2", is: slot }],
    broken: "2 slots of workers, which allows 1",
  },
  {
    when: "a node without a slot is not Ready, and another acquires one",
    steps: [
      { node: "w2", is: { ready: false } },
      { bootcNode: "w1", is: slot },
    ],
    broken: "1 slots and 1 nodes of workers that are not Ready, which allows 1",
  },
  {
    when: "a node with a slot is not Ready, and nodes of others are not",
    steps: [...cordoned, { node: "w1", is: { ...cordonedByPawl, ready: false } }, { node: "o1", is: { ready: false } }],
  },
  {
    when: "more nodes than allowed are cordoned",
    steps: [...cordoned, { bootcNode: "w2", is: slot }, { node: "w2", is: cordonedByPawl }],
    broken: "2 nodes cordoned for workers, which allows 1",
  },
  {
    when: "a node that a person cordoned is uncordoned",
    steps: [
      { node: "w1", is: { cordoned: true } },
      { node: "w1", is: {} },
    ],
    broken: "although Pawl had not cordoned it",
  },
  {
    when: "a person uncordons it",
    steps: [
      { node: "w1", is: { cordoned: true } },
      { node: "w1", is: {} },
    ],
    manualRevision: 14,
  },
  {
    when: "a person's cordon is annotated",
    steps: [
      { bootcNode: "w1", is: slot },
      { node: "w1", is: { cordoned: true } },
      { node: "w1", is: cordonedByPawl },
    ],
    broken: "another owner's cordon",
  },
  {
    when: "the cordon annotation remains",
    steps: [...cordoned, { node: "w1", is: { mark: true } }],
    broken: "its cordon annotation remains",
  },
  {
    when: "a slot is released before the cordon",
    steps: [...cordoned, { bootcNode: "w1", is: {} }],
    broken: "its slot was released while it is cordoned",
  },
  {
    when: "a slot is released before the protection",
    steps: [
      { bootcNode: "w1", is: { slot: true } },
      { node: "w1", is: { protection: true } },
      { bootcNode: "w1", is: {} },
    ],
    broken: "its slot was released while it is protected",
  },
  {
    when: "a BootcNode is deleted before its Node is uncordoned",
    steps: [...cordoned, { bootcNode: "w1", is: null }],
    broken: "its slot was released while it is cordoned",
  },
])("$when: $broken", ({ steps, broken, manualRevision }) => {
  const pool = { metadata: { name: "workers" }, spec: { nodeSelector: {}, image: { ref: image }, rollout: {} } };
  const before: ObjectChange[] = [
    { kind: "BootcNodePool", revision: 1, isGone: false, object: pool },
    ...["w1", "w2"].map((name, index) => objectChange({ node: name, is: {} }, 2 + index)),
    ...["w1", "w2"].map((name, index) => objectChange({ bootcNode: name, is: {} }, 4 + index)),
  ];
  const story = [...before, ...steps.map((step, index) => objectChange(step, 13 + index))];
  const found = findViolations(story, (revision) => revision === manualRevision);
  expect(found.join("; ")).toMatch(broken === undefined ? /^$/ : new RegExp(broken));
});

function objectChange(step: Step, revision: number): ObjectChange {
  if ("node" in step) {
    const annotations = {
      ...(step.is.mark && { [metadataKeys.cordonedFor]: "workers" }),
      ...(step.is.protection && { [metadataKeys.protectedFor]: "workers karpenter.sh/do-not-disrupt" }),
    };
    const conditions = [{ type: "Ready", status: step.is.ready === false ? "False" : "True" }];
    const spec = { unschedulable: step.is.cordoned ?? false };
    const object = { metadata: { name: step.node, annotations }, spec, status: { conditions } };
    return { kind: "Node", revision, isGone: false, object };
  }
  if ("pod" in step) {
    const owner = {
      apiVersion: "apps/v1",
      kind: step.controller ?? "ReplicaSet",
      name: "web",
      uid: "1",
      controller: true,
    };
    const metadata = { name: step.pod, uid: step.pod, ownerReferences: [owner] };
    const object = { metadata, spec: { nodeName: step.on, containers: [] } };
    return { kind: "Pod", revision, isGone: step.isGone ?? false, object };
  }
  const { slot: holds, state = "Staged", desired = image, staged } = step.is ?? {};
  const annotations = holds ? { [metadataKeys.slot]: "" } : {};
  const ownerReferences = [{ apiVersion: "v1", kind: "BootcNodePool", name: "workers", uid: "1" }];
  const status = staged === undefined ? {} : { staged: { image: `quay.io/example/os@${staged}`, imageDigest: staged } };
  const metadata = { name: step.bootcNode, annotations, ownerReferences };
  const object = { metadata, spec: { desiredImage: desired, desiredImageState: state }, status };
  return { kind: "BootcNode", revision, isGone: step.is === null, object };
}
