import type { DrainedPod } from "../domain/node-pool/drain.ts";
import type { AgentReport } from "../domain/node-pool/report.ts";
import type { NodeStep } from "../domain/node-pool/step.ts";
import type { NodePool, NodePoolStatus, PoolNode, PullSecretRef } from "../domain/node-pool/types.ts";
import type { Announcement } from "./cluster.ts";
import type { PullLogins } from "./registry.ts";

/** One BootcNodePool; another that has taken its name since is another. */
export interface PoolRef {
  readonly name: string;
  readonly uid: string;
}

/** The steps that are a write to a Node or a BootcNode. */
export type NodeWrite = Exclude<NodeStep, { readonly kind: "evict" | "wait" | "none" }>;

/**
 * "whole": all that is known of each Node. "outline": only what its metadata says, which is a tenth of it; each is Ready
 * and schedulable then, whatever it is. "cordoned": all that is known of those that are cordoned, and no others. BootcNodes are
 * whole in each.
 */
export type NodesForm = "whole" | "outline" | "cordoned";

/** "refused": a PodDisruptionBudget says not yet, or admission does not let this pod go, in their own words. */
export type Eviction = { readonly kind: "evicted" | "gone" } | { readonly kind: "refused"; readonly reason: string };

export type PullSecret =
  | { readonly kind: "found"; readonly hash: string; readonly logins: PullLogins }
  | { readonly kind: "problem"; readonly reason: string }
  /** The deployment does without. */
  | { readonly kind: "unread" };

/** What an Event is about. */
export type Subject =
  | { readonly kind: "pool"; readonly pool: NodePool }
  | { readonly kind: "node"; readonly node: PoolNode };

/**
 * The pools of image-based nodes of one Kubernetes cluster, and their nodes.
 * Every method may throw `Unreachable` (no answer, or a 5xx), `Throttled` (429) or `Forbidden` (401, 403). What writes
 * does so on the `resourceVersion` at which its object was read: it throws `Conflict` where that has changed since, and
 * writes nothing then.
 * What writes to a node (`write`, `remember`, `report`) throws `Refused` where a webhook or a policy does not let this object through.
 */
export interface NodePools {
  /** Every pool, in no order; none where the cluster knows no such kind. */
  list(): Promise<readonly NodePool[]>;

  /** The pool as it is now; null where it is gone or another has taken its name. */
  read(ref: PoolRef): Promise<NodePool | null>;

  /** Every Node of the cluster and every BootcNode, joined by their names; of "cordoned" only those Nodes, with their BootcNodes. */
  nodes(form: NodesForm): Promise<readonly PoolNode[]>;

  /** Does one step and returns the node as it is then. What is gone already counts as taken away. */
  write(pool: NodePool, node: PoolNode, step: NodeWrite): Promise<PoolNode>;

  /** Remembers what was said of a node. Needs no `resourceVersion`: what is said twice is one Event. */
  remember(node: PoolNode, told: string): Promise<void>;

  /** Every pod that is bound to the node. */
  pods(node: string): Promise<readonly DrainedPod[]>;

  /** Evicts through the eviction API: the pod's own grace, and only the pod of this uid. */
  evict(pod: DrainedPod): Promise<Eviction>;

  /** Writes the claim, and the finalizer where it is missing and the pool is not being deleted, in one patch. */
  claim(pool: NodePool, execution: string): Promise<NodePool>;

  /** Takes the claim away, and with it the finalizer of a pool that is being deleted and has no nodes left. */
  release(pool: NodePool, isLetGo: boolean): Promise<void>;

  saveStatus(pool: NodePool, status: NodePoolStatus): Promise<NodePool>;

  /** Sets `spec.rollout.paused`. */
  setPaused(pool: NodePool, paused: boolean): Promise<void>;

  /** The status of a BootcNode in its daemon's place, and the annotations by which commands are followed. */
  report(node: PoolNode, report: AgentReport): Promise<PoolNode>;

  /** A hash of the secret's content that changes with it, and its logins; a problem where it is missing or may not be read. */
  pullSecret(ref: PullSecretRef): Promise<PullSecret>;

  /** Writes an Event. The same `key` on the same object is written once. */
  announce(subject: Subject, announcement: Announcement): Promise<void>;
}
