import type { DrainedPod } from "../domain/node-pool/node/drain.ts";
import type { AgentReport } from "../domain/node-pool/agent/agent-report.ts";
import type { NodeStep } from "../domain/node-pool/step/step.ts";
import type { PoolNode } from "../domain/node-pool/node/bootc-node.ts";
import type { NodePool, NodePoolStatus, PullSecretRef } from "../domain/node-pool/pool/node-pool.ts";
import type { Eviction, KubernetesEvent } from "./cluster.ts";
import type { PullLogins } from "./registry.ts";

/** One BootcNodePool; the uid tells it from another of the same name. */
export interface PoolRef {
  readonly name: string;
  readonly uid: string;
}

/** The steps that are a write to a Node or a BootcNode. */
export type NodeWrite = Exclude<NodeStep, { readonly kind: "evict" | "wait" | "none" }>;

/**
 * "full": each Node. "metadata": only the metadata of each Node, a tenth of its size; `ready` and `unschedulable` are
 * then placeholders (true, false). "cordoned": the full Nodes that are cordoned, and no others. BootcNodes are complete
 * in each.
 */
export type NodeScope = "full" | "metadata" | "cordoned";

export type PullSecret =
  | { readonly kind: "found"; readonly hash: string; readonly logins: PullLogins }
  | { readonly kind: "problem"; readonly reason: string }
  /** The deployment does not read pull secrets. */
  | { readonly kind: "unread" };

/** The object that an Event regards. */
export type Subject =
  | { readonly kind: "pool"; readonly pool: NodePool }
  | { readonly kind: "node"; readonly node: PoolNode };

/**
 * The pools of image-based nodes of one Kubernetes cluster, and their nodes. Every method may throw `Unreachable` (no
 * answer, or a 5xx), `Throttled` (429) or `Forbidden` (401, 403). Writes carry the `resourceVersion` at which their
 * object was read: they throw `Conflict`, and write nothing, if it has changed. Writes to a node (`write`,
 * `recordEmittedEvents`, `report`) throw `AdmissionDenied` if a webhook or a policy denies them.
 */
export interface NodePools {
  /** Lists every pool, in no order; none if the cluster has no such kind. */
  list(): Promise<readonly NodePool[]>;

  /** Returns the current pool; null if it was deleted or was recreated. */
  read(ref: PoolRef): Promise<NodePool | null>;

  /** Lists every Node and every BootcNode, joined by name; for "cordoned" only those Nodes, with their BootcNodes. */
  listNodes(scope: NodeScope): Promise<readonly PoolNode[]>;

  /** Returns the names of the nodes that run etcd, by its pods in `kube-system`. */
  etcdNodes(): Promise<ReadonlySet<string>>;

  /** Executes one step and returns the changed node. Removing what was already deleted succeeds. */
  write(pool: NodePool, node: PoolNode, step: NodeWrite): Promise<PoolNode>;

  /**
   * Records which Events were emitted for a node. Needs no `resourceVersion`, because Events are deduplicated by key.
   */
  recordEmittedEvents(node: PoolNode, emittedEvents: string): Promise<void>;

  /** Lists every pod that is bound to the node. */
  listPods(node: string): Promise<readonly DrainedPod[]>;

  /** Evicts through the eviction API, with the pod's own grace period and only the pod of this uid. */
  evict(pod: DrainedPod): Promise<Eviction>;

  /** Deletes a pod whatever its PodDisruptionBudgets say, with its own grace period and only the pod of this uid. */
  deletePod(pod: DrainedPod): Promise<Eviction>;

  /** Writes the claim, and a missing finalizer unless the pool is being deleted, in one patch. */
  claim(pool: NodePool, execution: string): Promise<NodePool>;

  /** Removes the claim and, for a deleted pool without nodes, the finalizer. */
  release(pool: NodePool, removesFinalizer: boolean): Promise<void>;

  saveStatus(pool: NodePool, status: NodePoolStatus): Promise<NodePool>;

  /** Sets `spec.rollout.paused`. */
  setPaused(pool: NodePool, paused: boolean): Promise<void>;

  /** Writes `pawl.dev/request`, which replaces an earlier request. */
  request(pool: NodePool, text: string): Promise<void>;

  /** Writes the status of a BootcNode in place of a daemon, and the annotation of its command. */
  writeAgentReport(node: PoolNode, report: AgentReport): Promise<PoolNode>;

  /** Returns a hash of the secret's content, and its logins; a problem if it is missing or must not be read. */
  pullSecret(ref: PullSecretRef): Promise<PullSecret>;

  /** Writes an Event. The same `key` on the same object is written once. "lost": it failed, which is logged and counted. */
  emitEvent(subject: Subject, announcement: KubernetesEvent): Promise<"written" | "lost">;
}
