import { readSpec, type WrittenSpec } from "../../../functions/domain/node-pool/spec.ts";
import { managedLabel } from "../../../functions/domain/node-pool/names.ts";
import { type Seen, type Tick, tickOf } from "../../../functions/domain/node-pool/tick.ts";
import type {
  BootcNode,
  KubeNode,
  Member,
  NodePool,
  NodePoolSpec,
  NodePoolStatus,
  PoolNode,
  Slot,
} from "../../../functions/domain/node-pool/types.ts";
import { noon } from "../../support/workloads.ts";

export const digestA = `sha256:${"a".repeat(64)}`;
export const digestB = `sha256:${"b".repeat(64)}`;
export const digestC = `sha256:${"c".repeat(64)}`;
export const imageA = `quay.io/example/myos@${digestA}`;
export const imageB = `quay.io/example/myos@${digestB}`;
export const imageC = `quay.io/example/myos@${digestC}`;

export const written: WrittenSpec = {
  nodeSelector: { matchLabels: { role: "worker" } },
  image: { ref: imageB },
};

const status: NodePoolStatus = {
  observedGeneration: 1,
  targetDigest: digestB,
  targetRef: imageB,
  nextTagResolution: null,
  tagProblem: null,
  deployedDigest: digestA,
  updateAvailable: true,
  nodeCount: 0,
  updatedCount: 0,
  updatingCount: 0,
  degradedCount: 0,
  conditions: [],
};

/** A pool that is to run image B. */
export function pool(
  spec: Partial<NodePoolSpec> = {},
  rest: Partial<Omit<NodePool, "spec" | "status">> & { status?: Partial<NodePoolStatus> } = {},
): NodePool {
  const about = {
    name: "workers",
    uid: "pool-1",
    resourceVersion: "1",
    generation: 1,
    isBeingDeleted: false,
    hasFinalizer: true,
  };
  const read = { ...readSpec(written).spec, ...spec };
  return { ...about, execution: null, problems: [], ...rest, spec: read, status: { ...status, ...rest.status } };
}

export const kubeNode: KubeNode = {
  uid: "node-1",
  resourceVersion: "1",
  labels: { role: "worker", [managedLabel]: "" },
  unschedulable: false,
  ready: true,
  cordonedFor: null,
  providerId: null,
};

export const cordoned: Partial<KubeNode> = { unschedulable: true, cordonedFor: "workers" };

/** Runs image A, is asked for image B, and has said nothing yet. */
export const bootcNode: BootcNode = {
  uid: "bootc-1",
  resourceVersion: "1",
  owner: { name: "workers", uid: "pool-1" },
  desiredImage: imageB,
  desiredImageState: "Staged",
  pullSecretRef: null,
  pullSecretHash: null,
  askedAt: noon,
  slot: null,
  bootedDigest: digestA,
  stagedDigest: null,
  rollbackDigest: null,
  isObserved: true,
  idle: { activity: null },
  error: null,
  told: null,
  generation: 1,
  command: null,
};

export const slot: Slot = {
  wasCordoned: false,
  takenAt: noon,
  nodeUid: "node-1",
  drainSince: null,
  approvedAt: null,
};

export const staging: Partial<BootcNode> = { idle: { activity: "Staging" } };
export const staged: Partial<BootcNode> = { idle: { activity: "Staged" }, stagedDigest: digestB };
export const updated: Partial<BootcNode> = { bootedDigest: digestB };
export const failing: Partial<BootcNode> = { error: "stage failed" };
export const slotted: Partial<BootcNode> = { ...staged, slot };
export const approved: Partial<BootcNode> = {
  ...staged,
  desiredImageState: "Booted",
  slot: { ...slot, approvedAt: noon },
};
export const rebooting: Partial<BootcNode> = { ...approved, idle: { activity: "Rebooting" } };

export function member(name: string, of: Partial<BootcNode> = {}, node: Partial<KubeNode> = {}): Member {
  return { name, node: { ...kubeNode, ...node }, bootcNode: { ...bootcNode, ...of } };
}

/** A node that nobody manages. */
export function fresh(name: string, node: Partial<KubeNode> = {}): PoolNode & { readonly node: KubeNode } {
  return { name, node: { ...kubeNode, labels: { role: "worker" }, ...node }, bootcNode: null };
}

export function tick(nodes: readonly PoolNode[], seen: Partial<Seen> = {}): Tick {
  return tickOf({ pool: pool(), pools: [], pullSecretHash: null, now: noon, ...seen, nodes });
}
