import type { Amount } from "./amount.ts";
import type { LabelSelector } from "../label-selector.ts";
import type { CommandInFlight } from "./report.ts";
import type { Window } from "./windows.ts";

/** A group of nodes that are to run one OS image (`BootcNodePool`, cluster-wide). */
export interface NodePool {
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation: number;
  /** Its finalizer holds it until every node has left. */
  readonly isBeingDeleted: boolean;
  /** Whether Pawl's finalizer stands on it. */
  readonly hasFinalizer: boolean;
  /** The execution that holds the claim: only it writes to the pool's nodes. null where none does. */
  readonly execution: string | null;
  readonly spec: NodePoolSpec;
  /** What cannot be read, each said so that its owner can mend it. Nothing is done while there is one. */
  readonly problems: readonly string[];
  readonly status: NodePoolStatus;
}

export interface NodePoolSpec {
  readonly nodeSelector: LabelSelector;
  /** Fully qualified, by tag or by digest. */
  readonly imageRef: string;
  /** How many nodes may hold a slot; 0 is legal and lets none. */
  readonly maxUnavailable: Amount;
  /** No node takes a slot; those that hold one go on. */
  readonly paused: boolean;
  /** Whether a paused pool still asks its nodes to stage what is new, as bootc-operator does. */
  readonly preStageWhilePaused: boolean;
  /** How many unhealthy slot holders halt the rollout. */
  readonly haltThreshold: Amount;
  /** null waits for ever, for each of the three. */
  readonly drainTimeoutSeconds: number | null;
  readonly rebootTimeoutSeconds: number | null;
  readonly stagingTimeoutSeconds: number | null;
  /** Slots are taken and reboots approved only in one of them; at any time where there are none. */
  readonly windows: readonly Window[];
  /** Pools that have to be up to date before a node of this one takes a slot. */
  readonly dependsOn: readonly string[];
  readonly rebootPolicy: RebootPolicy;
  readonly pullSecretRef: PullSecretRef | null;
  readonly agent: Agent;
}

/** Who carries out on a node what its BootcNode asks for: bootc-operator's own daemon there, or Pawl through SSM Run Command. */
export type Agent = "Daemon" | "RunCommand";

export type RebootPolicy = "RebootOnly" | "AllowSoftReboot";

export interface PullSecretRef {
  readonly name: string;
  readonly namespace: string;
}

export interface NodePoolStatus {
  /** The generation that was last acted on; 0 before the first time. */
  readonly observedGeneration: number;
  /** `algorithm:hex`; null until a reference was resolved. */
  readonly targetDigest: string | null;
  /** The reference that `targetDigest` stands for: the image is named after it while a new reference cannot be resolved. */
  readonly targetRef: string | null;
  /** null for a reference by digest, and before the first attempt. */
  readonly nextTagResolution: Date | null;
  /** Why the tag could not be resolved the last time; null where it could. */
  readonly tagProblem: string | null;
  /** What all nodes ran last; null before that. */
  readonly deployedDigest: string | null;
  readonly updateAvailable: boolean;
  readonly nodeCount: number;
  readonly updatedCount: number;
  readonly updatingCount: number;
  readonly degradedCount: number;
  readonly conditions: readonly PoolCondition[];
}

export type DegradedReason =
  | "Healthy"
  | "NodeDegraded"
  | "NodeConflict"
  | "SecretError"
  | "RolloutHalted"
  | "InvalidSpec"
  | "TagResolutionError";

export type PoolCondition =
  | {
      readonly type: "UpToDate";
      readonly status: "True" | "False";
      readonly reason: "AllUpdated" | "RolloutInProgress" | "Paused";
      readonly message: string;
    }
  | {
      readonly type: "Degraded";
      readonly status: "True" | "False";
      readonly reason: DegradedReason;
      readonly message: string;
    };

/** The Node of Kubernetes. */
export interface KubeNode {
  readonly uid: string;
  readonly resourceVersion: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly unschedulable: boolean;
  /** Whether its Ready condition is True; Unknown is not. */
  readonly ready: boolean;
  /** The pool for which Pawl cordoned it: a mark that comes and goes in the same patch as `unschedulable`. */
  readonly cordonedFor: string | null;
  /** The cloud's name of the machine, such as `aws:///eu-west-1a/i-0123456789abcdef0`; null where the cloud gives none. */
  readonly providerId: string | null;
}

export type DesiredImageState = "Staged" | "Booted";

/** What Pawl asks of a node (spec) and what the node's agent says of itself (status). */
export interface BootcNode {
  readonly uid: string;
  readonly resourceVersion: string;
  /** The pool that owns it; null where none does. */
  readonly owner: { readonly name: string; readonly uid: string } | null;
  /** By digest. */
  readonly desiredImage: string;
  readonly desiredImageState: DesiredImageState;
  readonly pullSecretRef: PullSecretRef | null;
  readonly pullSecretHash: string | null;
  /** When it was asked for `desiredImage`; null where that is not known. */
  readonly askedAt: Date | null;
  readonly slot: Slot | null;
  /** `algorithm:hex`, each null where the agent names none. */
  readonly bootedDigest: string | null;
  readonly stagedDigest: string | null;
  readonly rollbackDigest: string | null;
  /** Whether the agent has seen the last change of its spec; true where it does not say. */
  readonly isObserved: boolean;
  /** The Idle condition: null where there is none, `activity` null where it is True or names another reason. */
  readonly idle: { readonly activity: Activity | null } | null;
  /** The message of a Degraded condition that is True; null where it is not. */
  readonly error: string | null;
  /** The last of what was said of it in Events, so that it is said once; null before the first. */
  readonly told: string | null;
  readonly generation: number;
  /** Of a node without a daemon; null of any other, and where none is in flight. */
  readonly command: CommandInFlight | null;
}

/** The reasons of a condition Idle that is False. */
export type Activity = "Staging" | "Staged" | "Rebooting";

/** A node's leave to be unavailable, kept in annotations of its BootcNode. Times that cannot be read are null. */
export interface Slot {
  /** Only false uncordons; null where the annotation is missing or says neither. */
  readonly wasCordoned: boolean | null;
  readonly takenAt: Date | null;
  /** The Node that took it; null in a slot that bootc-operator gave. */
  readonly nodeUid: string | null;
  /** When its drain was begun anew, after it had taken too long. */
  readonly drainSince: Date | null;
  /** When the agent was told to reboot; null until then. */
  readonly approvedAt: Date | null;
}

/** A Node and its BootcNode, either of which may be missing. Both have the same name. */
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
