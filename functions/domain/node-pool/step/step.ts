import type { AnalysisState } from "../../analysis/state.ts";
import type { DrainedPod } from "../node/drain.ts";
import type { DesiredImageState } from "../node/bootc-node.ts";
import type { PullSecretRef } from "../pool/node-pool.ts";

/** The desired spec of a BootcNode. */
export interface DesiredNode {
  /** By digest. */
  readonly image: string;
  readonly pullSecretRef: PullSecretRef | null;
  readonly pullSecretHash: string | null;
}

/** The next step of a node: a single idempotent write, or none. */
export type NodeStep =
  /** Creates a BootcNode, owned by its pool, with `desired`, Staged, and the time of the request. */
  | { readonly kind: "create"; readonly desired: DesiredNode }
  | { readonly kind: "label" }
  /**
   * Updates the spec of the BootcNode. A new image is requested as Staged, and the approval of the previous one is
   * removed.
   */
  | {
      readonly kind: "request-image";
      readonly desired: DesiredNode;
      readonly isNewImage: boolean;
      readonly state: DesiredImageState;
    }
  /** Sets desiredImageState to Staged and removes the approval in one write. */
  | { readonly kind: "revoke" }
  /** Writes all annotations of a slot at once, on the `resourceVersion` of the BootcNode. */
  | {
      readonly kind: "acquire-slot";
      readonly wasCordoned: boolean;
      readonly nodeUid: string;
      readonly bootId: string | null;
    }
  /** Records a manual cordon or uncordon after the slot was acquired and before Pawl cordoned the node. */
  | { readonly kind: "record-cordon"; readonly wasCordoned: boolean }
  /** Sets `unschedulable` and Pawl's mark in one patch, on the `resourceVersion` of the Node. */
  | { readonly kind: "cordon" }
  /** Adds the annotations against scale-down that the Node lacks, and Pawl's mark, in one patch. */
  | { readonly kind: "protect" }
  /** Removes those that Pawl added, and its mark, in one patch. */
  | { readonly kind: "unprotect" }
  /** A 429 is not a failure: a PodDisruptionBudget does not allow the eviction yet. */
  | { readonly kind: "evict"; readonly pods: readonly DrainedPod[] }
  /** Reports that the drain has timed out, and restarts it from now. */
  | { readonly kind: "restart-drain"; readonly reason: string }
  /** Records which pods block the drain, and why; null if none does any more. */
  | { readonly kind: "record-block"; readonly reason: string | null }
  /** Sets desiredImageState to Booted, and records the time and the DaemonSets whose pods are Ready. */
  | { readonly kind: "approve"; readonly readyDaemonSets: readonly string[] }
  /** Records that the node runs its desired image, from now on. */
  | { readonly kind: "record-boot" }
  /** Records what was measured of the node in its soak. */
  | { readonly kind: "record-analysis"; readonly state: AnalysisState }
  /** Removes `unschedulable` and Pawl's mark in one patch, on the `resourceVersion` of the Node. */
  | { readonly kind: "uncordon" }
  /** Removes Pawl's mark and keeps a manual cordon. */
  | { readonly kind: "leave-cordoned" }
  /** Removes all annotations of the slot in one write. If its drain took too long, it also records how many have. */
  | { readonly kind: "release-slot"; readonly givenBack?: number }
  | { readonly kind: "unlabel" }
  /** Deletes the BootcNode, and with it all that is recorded about the node. */
  | { readonly kind: "delete" }
  | Waiting
  /** The node runs its desired image. */
  | { readonly kind: "none" };

export interface Waiting {
  readonly kind: "wait";
  readonly for: WaitReason;
  readonly reason: string;
}

/**
 * What a node waits for. "staging" is the agent of a node without a slot, "agent" that of one with a slot. "pods" must
 * terminate or be read. "soak" is the time in which a node must stay Ready. "owner" is a decision or repair by a person,
 * which may never come.
 */
export type WaitReason = "staging" | "agent" | "pods" | "readiness" | "soak" | "slot" | "owner";

export function waitFor(what: WaitReason, reason: string): Waiting {
  return { kind: "wait", for: what, reason };
}
