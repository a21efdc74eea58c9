import type { AnalysisState } from "../../analysis/state.ts";
import type { GivenBack } from "./given-back.ts";
import type { PullSecretRef } from "../pool/node-pool.ts";

/** The Node of Kubernetes. */
export interface KubeNode {
  readonly uid: string;
  readonly resourceVersion: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly unschedulable: boolean;
  /** Whether the Ready condition is True; Unknown is not. */
  readonly ready: boolean;
  /** When the Ready condition last changed, by the clock of its writer; null if unknown. */
  readonly readyChangedAt: Date | null;
  /** The status of each condition; null if they were not read. */
  readonly conditions: Readonly<Record<string, string>> | null;
  /** The ID that its kernel got when it booted; null if unknown. */
  readonly bootId: string | null;
  /** As the kubelet reports them: the operating system and the kernel; null if unknown. */
  readonly osImage: string | null;
  readonly kernelVersion: string | null;
  /** Why it fails a health check of its pool; null if it passes, and until its pool has checked it. */
  readonly healthProblem: string | null;
  /** The pool for which Pawl cordoned the node. The same patch changes this mark and `unschedulable`. */
  readonly cordonedByPool: string | null;
  /** The protection against scale-down that Pawl added; null if none. The same patch changes its mark. */
  readonly protection: Protection | null;
  /** The annotations against scale-down that the node lacks. */
  readonly missingProtection: readonly string[];
  /** The cloud provider's ID of the machine, such as `aws:///eu-west-1a/i-0123456789abcdef0`; null if there is none. */
  readonly providerId: string | null;
}

/** The annotations against scale-down that Pawl added to a Node. */
export interface Protection {
  /** The name of the pool. */
  readonly pool: string;
  readonly annotations: readonly string[];
}

export type DesiredImageState = "Staged" | "Booted";

/** What Pawl requests of a node (spec) and what the node's agent reports (status). */
export interface BootcNode {
  readonly uid: string;
  readonly resourceVersion: string;
  /** The pool that owns it; null if none does. */
  readonly owner: { readonly name: string; readonly uid: string } | null;
  /** By digest. */
  readonly desiredImage: string;
  readonly desiredImageState: DesiredImageState;
  readonly pullSecretRef: PullSecretRef | null;
  readonly pullSecretHash: string | null;
  /** When `desiredImage` was requested; null if unknown. */
  readonly requestedAt: Date | null;
  readonly slot: Slot | null;
  /** Which pods block the drain for `desiredImage`, and why; null if none has for long. */
  readonly drainBlockedBy: string | null;
  /** The drains for `desiredImage` that took too long, after which the node released its slot; null if there is none. */
  readonly givenBack: GivenBack | null;
  /** What was measured of it in its soak; null if nothing was. */
  readonly analysis: AnalysisState | null;
  /** `algorithm:hex`; null if the agent does not report one. The same holds for the next two. */
  readonly bootedDigest: string | null;
  readonly stagedDigest: string | null;
  readonly rollbackDigest: string | null;
  /** Whether the agent has observed the latest generation; true if it does not report a generation. */
  readonly isObserved: boolean;
  /** The Idle condition; null if there is none. `activity` is null if it is True or has another reason. */
  readonly idle: { readonly activity: Activity | null } | null;
  /** The message of a Degraded condition that is True; null otherwise. */
  readonly error: string | null;
  /** The keys of the Events that were emitted for the node, so that each is emitted once; null before the first. */
  readonly emittedEvents: string | null;
  readonly generation: number;
  /** The command in flight of a node without a daemon; null otherwise. */
  readonly command: CommandInFlight | null;
}

/** The reasons of an Idle condition that is False. */
export type Activity = "Staging" | "Staged" | "Rebooting";

/**
 * The permission of a node to be unavailable, kept in annotations of its BootcNode. A time that cannot be parsed is
 * null.
 */
export interface Slot {
  /** Only false uncordons; null if the annotation is missing or is neither true nor false. */
  readonly wasCordoned: boolean | null;
  readonly acquiredAt: Date | null;
  /** The uid of the Node that acquired the slot; null in a slot that bootc-operator gave. */
  readonly nodeUid: string | null;
  /** The boot ID of the Node when it acquired the slot; null if unknown. */
  readonly bootId: string | null;
  /** When the drain was restarted after a timeout. */
  readonly drainStartedAt: Date | null;
  /** When the reboot was approved; null before that. */
  readonly approvedAt: Date | null;
  /** The DaemonSets that had a Ready pod on the node when its reboot was approved, as `namespace/name`. */
  readonly readyDaemonSets: readonly string[];
  /** When the node was first seen on its desired image; null before that. */
  readonly bootedAt: Date | null;
}

/** The current command of a node without a daemon, kept in an annotation of its BootcNode. */
export interface CommandInFlight {
  /** null if the command has to be sent, for the first time or again. */
  readonly id: string | null;
  readonly kind: "status" | "stage" | "apply";
  /** The image of the command, by digest. "" for a "status" that does not follow an "apply". */
  readonly image: string;
  /** When the command was sent or failed; for an unsent "apply", when it was decided. Whole seconds. */
  readonly at: Date;
  /** The number of consecutive failures for `image`. */
  readonly attempts: number;
}

/** A Node and its BootcNode, which have the same name. Either may be missing. */
export interface PoolNode {
  readonly name: string;
  readonly node: KubeNode | null;
  readonly bootcNode: BootcNode | null;
}

/** A node that its pool manages. */
export interface Member extends PoolNode {
  readonly node: KubeNode;
  readonly bootcNode: BootcNode;
}
