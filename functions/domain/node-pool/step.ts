import type { DrainedPod } from "./drain.ts";
import type { DesiredImageState, PullSecretRef } from "./types.ts";

/** What the spec of a BootcNode shall say. */
export interface Asks {
  /** By digest. */
  readonly image: string;
  readonly pullSecretRef: PullSecretRef | null;
  readonly pullSecretHash: string | null;
}

/** The one thing that is done to a node next: a single write or none, and done twice it is done once. */
export type NodeStep =
  /** A BootcNode that its pool owns, with `asks`, Staged, and when it was asked. */
  | { readonly kind: "create"; readonly asks: Asks }
  | { readonly kind: "label" }
  /** The spec of its BootcNode. A new image is Staged and asked for from now; the approval of the one before goes with it. */
  | { readonly kind: "ask"; readonly asks: Asks; readonly isNewImage: boolean; readonly state: DesiredImageState }
  /** desiredImageState Staged; the approval goes in the same write. */
  | { readonly kind: "revoke" }
  /** All annotations of a slot in one write, on the `resourceVersion` of the BootcNode. */
  | { readonly kind: "take-slot"; readonly wasCordoned: boolean; readonly nodeUid: string }
  /** Somebody else cordoned or uncordoned the node after its slot was taken and before Pawl cordoned it. */
  | { readonly kind: "remember-cordon"; readonly wasCordoned: boolean }
  /** `unschedulable` and Pawl's mark in one patch, on the `resourceVersion` of the Node. */
  | { readonly kind: "cordon" }
  /** 429 is an answer to wait on, not a failure: a PodDisruptionBudget says not yet. */
  | { readonly kind: "evict"; readonly pods: readonly DrainedPod[] }
  /** Says that the drain took too long, and begins it anew from now. */
  | { readonly kind: "restart-drain"; readonly reason: string }
  /** desiredImageState Booted, and when. */
  | { readonly kind: "approve" }
  /** Takes `unschedulable` and Pawl's mark away in one patch, on the `resourceVersion` of the Node. */
  | { readonly kind: "uncordon" }
  /** Takes Pawl's mark away: the cordon is somebody else's, and stays. */
  | { readonly kind: "leave-cordoned" }
  /** Takes all annotations of the slot away in one write. */
  | { readonly kind: "free-slot" }
  | { readonly kind: "unlabel" }
  /** The BootcNode; with it goes what was remembered of the node. */
  | { readonly kind: "delete" }
  | Waiting
  /** The node runs what it should. */
  | { readonly kind: "none" };

export interface Waiting {
  readonly kind: "wait";
  readonly for: Awaited;
  readonly reason: string;
}

/**
 * What a node waits for. "staging" is the agent of a node without a slot, "agent" that of one with a slot; "pods" are to end or
 * to be read; "owner" is a person's decision or repair, which may take for ever.
 */
export type Awaited = "staging" | "agent" | "pods" | "readiness" | "slot" | "owner";

export function waitFor(what: Awaited, reason: string): Waiting {
  return { kind: "wait", for: what, reason };
}
