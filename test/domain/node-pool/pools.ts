import { parseSpec } from "../../../functions/domain/node-pool/pool/spec.ts";
import type { RawPoolSpec } from "../../../functions/domain/node-pool/pool/raw-spec.ts";
import { managedLabel } from "../../../functions/domain/node-pool/pool/annotations.ts";
import {
  type PoolObservation,
  type PoolState,
  computePoolState,
} from "../../../functions/domain/node-pool/pool/pool-state.ts";
import type {
  BootcNode,
  KubeNode,
  Member,
  PoolNode,
  Slot,
} from "../../../functions/domain/node-pool/node/bootc-node.ts";
import type { NodePool, NodePoolSpec, NodePoolStatus } from "../../../functions/domain/node-pool/pool/node-pool.ts";
import { noon } from "../../support/workloads.ts";

export const digestA = `sha256:${"a".repeat(64)}`;
export const digestB = `sha256:${"b".repeat(64)}`;
export const digestC = `sha256:${"c".repeat(64)}`;
export const imageA = `quay.io/example/myos@${digestA}`;
export const imageB = `quay.io/example/myos@${digestB}`;
export const imageC = `quay.io/example/myos@${digestC}`;

export const rawSpec: RawPoolSpec = {
  nodeSelector: { matchLabels: { role: "worker" } },
  image: { ref: imageB },
};

const status: NodePoolStatus = {
  observedGeneration: 1,
  targetDigest: digestB,
  targetSince: null,
  targetRef: imageB,
  nextTagResolution: null,
  tagProblem: null,
  deployedDigest: digestA,
  lastKnownGoodImage: null,
  rollbackImage: imageA,
  haltedAt: null,
  failedDigests: [],
  abortedDigests: [],
  progress: null,
  gates: [],
  updateAvailable: true,
  nodeCount: 0,
  updatedCount: 0,
  updatingCount: 0,
  degradedCount: 0,
  conditions: [],
};

/** Returns a pool whose target is image B. */
export function pool(
  spec: Partial<NodePoolSpec> = {},
  rest: Partial<Omit<NodePool, "spec" | "status">> & { status?: Partial<NodePoolStatus> } = {},
): NodePool {
  const metadata = {
    name: "workers",
    uid: "pool-1",
    resourceVersion: "1",
    generation: 1,
    isBeingDeleted: false,
    hasFinalizer: true,
  };
  const parsed = { ...parseSpec(rawSpec).spec, ...spec };
  return { ...metadata, execution: null, problems: [], ...rest, spec: parsed, status: { ...status, ...rest.status } };
}

export const kubeNode: KubeNode = {
  uid: "node-1",
  resourceVersion: "1",
  labels: { role: "worker", [managedLabel]: "" },
  unschedulable: false,
  ready: true,
  readyChangedAt: null,
  conditions: {},
  bootId: null,
  osImage: null,
  kernelVersion: null,
  healthProblem: null,
  cordonedByPool: null,
  protection: null,
  missingProtection: [],
  providerId: null,
};

export const cordoned: Partial<KubeNode> = { unschedulable: true, cordonedByPool: "workers" };

/** Runs image A, is requested to stage image B, and has reported nothing yet. */
export const bootcNode: BootcNode = {
  uid: "bootc-1",
  resourceVersion: "1",
  owner: { name: "workers", uid: "pool-1" },
  desiredImage: imageB,
  desiredImageState: "Staged",
  pullSecretRef: null,
  pullSecretHash: null,
  requestedAt: noon,
  slot: null,
  drainBlockedBy: null,
  givenBack: null,
  analysis: null,
  bootedDigest: digestA,
  stagedDigest: null,
  rollbackDigest: null,
  isObserved: true,
  idle: { activity: null },
  error: null,
  emittedEvents: null,
  generation: 1,
  command: null,
};

export const slot: Slot = {
  wasCordoned: false,
  acquiredAt: noon,
  nodeUid: "node-1",
  bootId: null,
  readyDaemonSets: [],
  drainStartedAt: null,
  approvedAt: null,
  bootedAt: null,
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

export function member(name: string, bootc: Partial<BootcNode> = {}, node: Partial<KubeNode> = {}): Member {
  return { name, node: { ...kubeNode, ...node }, bootcNode: { ...bootcNode, ...bootc } };
}

/** Returns a node without a BootcNode. */
export function unmanagedNode(name: string, node: Partial<KubeNode> = {}): PoolNode & { readonly node: KubeNode } {
  return { name, node: { ...kubeNode, labels: { role: "worker" }, ...node }, bootcNode: null };
}

export function poolState(nodes: readonly PoolNode[], observed: Partial<PoolObservation> = {}): PoolState {
  return computePoolState({ pool: pool(), pools: [], pullSecretHash: null, now: noon, ...observed, nodes });
}
