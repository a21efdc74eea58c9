import type { AnalysisSpec } from "../../analysis/spec.ts";
import type { ClosedGate } from "../../gates/closed-gate.ts";
import type { Approval } from "../../gates/approval.ts";
import type { GateSubject } from "../../gates/gate.ts";
import type { BlockingAlerts } from "./alerts.ts";
import type { IntOrPercent } from "./int-or-percent.ts";
import type { LabelSelector } from "../../text/label-selector.ts";
import type { Wave, WaveProgress } from "../waves/waves.ts";
import type { MaintenanceWindow } from "../../schedule/maintenance-windows.ts";

/** A group of nodes that should run one OS image (`BootcNodePool`, cluster-scoped). */
export interface NodePool {
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation: number;
  /** Its finalizer keeps it until every node has left. */
  readonly isBeingDeleted: boolean;
  /** Whether it has Pawl's finalizer. */
  readonly hasFinalizer: boolean;
  /** The execution that holds the claim: only it writes to the pool's nodes. null if there is none. */
  readonly execution: string | null;
  readonly spec: NodePoolSpec;
  /** What is invalid, each with how to fix it. While there is a problem, nothing is changed. */
  readonly problems: readonly string[];
  readonly status: NodePoolStatus;
  /** The targets that are notified of its events besides those that take all; absent if its owner names none. */
  readonly notify?: readonly string[];
  /** What people have decided about its images; absent if nothing. */
  readonly approvals?: readonly Approval[];
  /** The text of `pawl.dev/request`; absent if there is none. */
  readonly request?: string;
}

export interface NodePoolSpec {
  readonly nodeSelector: LabelSelector;
  /** Fully qualified, by tag or by digest. */
  readonly imageRef: string;
  /** How many nodes may hold a slot. 0 is valid and allows none. */
  readonly maxUnavailable: IntOrPercent;
  /** The label whose values are the zones, of which one has slots at a time; null if all may. */
  readonly topologyKey: string | null;
  /** No node acquires a slot; nodes that hold one continue. */
  readonly paused: boolean;
  /** Whether a paused pool still requests new images to be staged, as in bootc-operator. */
  readonly preStageWhilePaused: boolean;
  /** How many nodes without a slot stage a new image until the first nodes have succeeded with it; null if all do. */
  readonly stageAhead: number | null;
  /** The number of unhealthy slot holders that halts the rollout, at most the number of slots. */
  readonly haltThreshold: IntOrPercent;
  /** What happens to a halted rollout. */
  readonly onHalt: OnHalt;
  /** null disables the timeout, for each of the three. */
  readonly drainTimeoutSeconds: number | null;
  /** What happens to a drain that has exceeded its timeout. */
  readonly onDrainTimeout: OnDrainTimeout;
  readonly rebootTimeoutSeconds: number | null;
  readonly stagingTimeoutSeconds: number | null;
  /** How long a node must stay Ready on its new image before it releases its slot. */
  readonly minReadySeconds: number;
  readonly drain: DrainOptions;
  /** Whether nodes that somebody else has cordoned are updated. */
  readonly cordonedNodes: CordonedNodes;
  /** What a node must pass, besides being Ready, before it releases its slot. */
  readonly healthChecks: HealthChecks;
  /** Whether DaemonSets that had a Ready pod on a node before its reboot must have one after it. */
  readonly checksDaemonSets: boolean;
  /** Slots are acquired and reboots approved only in a window; at any time if there are none. */
  readonly windows: readonly MaintenanceWindow[];
  /** Pools that must be up to date before a node of this pool acquires a slot. */
  readonly dependsOn: readonly string[];
  /** Whether pools that depend on this one continue while it has no nodes. */
  readonly allowEmpty: boolean;
  /** Further nodes are updated step by step; all at once, in slots, if there are none. */
  readonly steps: readonly Wave[];
  /** What a node must pass in its soak; null if nothing is measured. */
  readonly analysis: AnalysisSpec | null;
  /** The alerts that keep nodes from acquiring slots; null if none does. */
  readonly blockOnAlerts: BlockingAlerts | null;
  /** What an image needs before a node is updated to it. */
  readonly gatePolicy: GateSubject["policy"];
  readonly rebootPolicy: RebootPolicy;
  readonly pullSecretRef: PullSecretRef | null;
  readonly agent: Agent;
}

/** "Hold" waits until the nodes are healthy or the image changes; "Rollback" returns to the image before. */
export type OnHalt = "Hold" | "Rollback";

/** "Report" continues; "GiveBack" releases the slot and tries again later; "Force" deletes what a PodDisruptionBudget protects. */
export type OnDrainTimeout = "Report" | "GiveBack" | "Force";

/** "Skip": they count as unavailable, and wait until they are uncordoned. "Include": they are updated, and stay cordoned. */
export type CordonedNodes = "Skip" | "Include";

/** Which pods a drain evicts, as the options of `kubectl drain` are named. Both are true by default. */
export interface DrainOptions {
  /** Pods without a controller, which nothing creates again. */
  readonly force: boolean;
  /** Pods with an emptyDir volume, whose data is lost. */
  readonly deleteEmptyDirData: boolean;
}

export interface HealthChecks {
  /** Conditions of the Node, each with the status that it must have. */
  readonly conditions: readonly { readonly type: string; readonly status: string }[];
  /** DaemonSets that must have a Ready pod on the node. */
  readonly daemonSets: readonly { readonly namespace: string; readonly name: string }[];
}

/** What executes the spec of a BootcNode: the daemon of bootc-operator on the node, or Pawl through SSM Run Command. */
export type Agent = "Daemon" | "RunCommand";

export type RebootPolicy = "RebootOnly" | "AllowSoftReboot";

export interface PullSecretRef {
  readonly name: string;
  readonly namespace: string;
}

export interface NodePoolStatus {
  /** The generation that was last processed; 0 before the first time. */
  readonly observedGeneration: number;
  /** `algorithm:hex`; null until a reference was resolved. */
  readonly targetDigest: string | null;
  /**
   * The reference that `targetDigest` was resolved from. It names the image while a new reference cannot be resolved.
   */
  readonly targetRef: string | null;
  /** When the registry received the target, or a poll first saw it; null if the pool has no minimum age. */
  readonly targetSince: Date | null;
  /** null for a reference by digest, and before the first attempt. */
  readonly nextTagResolution: Date | null;
  /** Why the last attempt to resolve the tag failed; null if it succeeded. */
  readonly tagProblem: string | null;
  /** The digest that all nodes ran most recently; null before that. */
  readonly deployedDigest: string | null;
  /** The newest requested image, by digest, that a Ready node without a slot has run, unless it has failed since; null before that. */
  readonly lastKnownGoodImage: string | null;
  /** The image, by digest, that was the last known good one before the rollout of the target; null if there is none. */
  readonly rollbackImage: string | null;
  /** Since when a rollout that will be rolled back is halted; null if it is not. */
  readonly haltedAt: Date | null;
  /** The digests that were rolled back, newest last. They are not tried again while `onHalt` is "Rollback". */
  readonly failedDigests: readonly string[];
  /** The digests whose rollout a person has aborted, newest last. They are not tried again until a person asks for it. */
  readonly abortedDigests: readonly string[];
  /** How far the rollout of the target has come; null if it has no steps, or is over. */
  readonly progress: WaveProgress | null;
  /** The gates that keep nodes from the target; none if no node needs it. */
  readonly gates: readonly ClosedGate[];
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
  | "RolledBack"
  | "InvalidSpec"
  | "TagResolutionError";

export type PoolCondition =
  | {
      readonly type: "UpToDate";
      readonly status: "True" | "False";
      readonly reason: "AllUpdated" | "RolloutInProgress" | "Paused" | "RolledBack";
      readonly message: string;
    }
  | {
      readonly type: "Degraded";
      readonly status: "True" | "False";
      readonly reason: DegradedReason;
      readonly message: string;
    }
  | {
      readonly type: "RequestHandled";
      readonly status: "True";
      readonly reason: "Handled" | "Refused";
      readonly message: string;
    };
