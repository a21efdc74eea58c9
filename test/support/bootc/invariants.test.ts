import { expect, test } from "vitest";
import type { Happening } from "./happenings.ts";
import { violationsOf } from "./invariants.ts";
import { marks } from "./objects.ts";

const image = "quay.io/example/os@sha256:b";

interface NodeState {
  readonly cordoned?: boolean;
  readonly mark?: boolean;
}

interface BootcNodeState {
  readonly slot?: boolean;
  readonly state?: "Staged" | "Booted";
  readonly asks?: string;
  readonly staged?: string;
}

type Step =
  | { readonly node: string; readonly is: NodeState }
  | { readonly bootcNode: string; readonly is: BootcNodeState | null }
  | { readonly pod: string; readonly on: string; readonly controller?: string; readonly isGone?: boolean };

const pawls = { cordoned: true, mark: true };
const slot = { slot: true, staged: "sha256:b" };
const booted = { ...slot, state: "Booted" } as const;
const cordoned: readonly Step[] = [
  { bootcNode: "w1", is: { staged: "sha256:b" } },
  { bootcNode: "w1", is: slot },
  { node: "w1", is: pawls },
];

test.for<{ when: string; steps: readonly Step[]; broken?: string; byHand?: number }>([
  {
    when: "a node takes a slot, is cordoned, drained and booted, and gives everything back",
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
    when: "a pod is left",
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
    broken: "for what is not staged",
  },
  {
    when: "a reboot is approved without a slot",
    steps: [...cordoned, { bootcNode: "w1", is: { ...booted, slot: false } }],
    broken: "approved without a slot",
  },
  {
    when: "another image is asked for, and the reboot goes on",
    steps: [
      ...cordoned,
      { bootcNode: "w1", is: booted },
      { bootcNode: "w1", is: { ...booted, asks: "quay.io/example/os@sha256:c", staged: "sha256:c" } },
    ],
    broken: "its reboot not revoked",
  },
  { when: "a node is cordoned without a slot", steps: [{ node: "w1", is: pawls }], broken: "cordoned without a slot" },
  {
    when: "a slot too many is taken",
    steps: [...cordoned, { bootcNode: "w2", is: slot }],
    broken: "2 slots of workers, which allows 1",
  },
  {
    when: "a node too many is cordoned",
    steps: [...cordoned, { bootcNode: "w2", is: slot }, { node: "w2", is: pawls }],
    broken: "2 nodes cordoned for workers, which allows 1",
  },
  {
    when: "a node that a person cordoned is uncordoned",
    steps: [
      { node: "w1", is: { cordoned: true } },
      { node: "w1", is: {} },
    ],
    broken: "it was not Pawl that had cordoned it",
  },
  {
    when: "a person uncordons it",
    steps: [
      { node: "w1", is: { cordoned: true } },
      { node: "w1", is: {} },
    ],
    byHand: 14,
  },
  {
    when: "a person's cordon is marked",
    steps: [
      { bootcNode: "w1", is: slot },
      { node: "w1", is: { cordoned: true } },
      { node: "w1", is: pawls },
    ],
    broken: "somebody else's cordon",
  },
  {
    when: "the mark of a cordon stays",
    steps: [...cordoned, { node: "w1", is: { mark: true } }],
    broken: "the mark of its cordon stays",
  },
  {
    when: "a slot is given back before the cordon",
    steps: [...cordoned, { bootcNode: "w1", is: {} }],
    broken: "its slot given back, and it stays cordoned",
  },
  {
    when: "a BootcNode goes before the cordon of its Node",
    steps: [...cordoned, { bootcNode: "w1", is: null }],
    broken: "its slot given back, and it stays cordoned",
  },
])("$when: $broken", ({ steps, broken, byHand }) => {
  const pool = { metadata: { name: "workers" }, spec: { nodeSelector: {}, image: { ref: image }, rollout: {} } };
  const before: Happening[] = [
    { kind: "BootcNodePool", revision: 1, isGone: false, object: pool },
    ...["w1", "w2"].map((name, index) => happening({ node: name, is: {} }, 2 + index)),
    ...["w1", "w2"].map((name, index) => happening({ bootcNode: name, is: {} }, 4 + index)),
  ];
  const story = [...before, ...steps.map((step, index) => happening(step, 13 + index))];
  const found = violationsOf(story, (revision) => revision === byHand);
  expect(found.join("; ")).toMatch(broken === undefined ? /^$/ : new RegExp(broken));
});

function happening(step: Step, revision: number): Happening {
  if ("node" in step) {
    const annotations = step.is.mark ? { [marks.cordonedFor]: "workers" } : {};
    const object = { metadata: { name: step.node, annotations }, spec: { unschedulable: step.is.cordoned ?? false } };
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
  const { slot: holds, state = "Staged", asks = image, staged } = step.is ?? {};
  const annotations = holds ? { [marks.slot]: "" } : {};
  const ownerReferences = [{ apiVersion: "v1", kind: "BootcNodePool", name: "workers", uid: "1" }];
  const status = staged === undefined ? {} : { staged: { image: `quay.io/example/os@${staged}`, imageDigest: staged } };
  const metadata = { name: step.bootcNode, annotations, ownerReferences };
  const object = { metadata, spec: { desiredImage: asks, desiredImageState: state }, status };
  return { kind: "BootcNode", revision, isGone: step.is === null, object };
}
