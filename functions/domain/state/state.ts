import { waitReasons } from "../workload/update/back-off-reason.ts";
import { parkReasons } from "../workload/update/parked-update.ts";

/**
 * The state of a workload or node pool in one word, each with its reasons for programs: the same in its status, in `kubectl get`, in the
 * commands and on the page. "UpToDate" is something that was observed, never a default.
 */
export const stateReasons = {
  UpToDate: ["NewestVersion", "SameDigest", "SameConfiguration", "Updated"],
  /** Something newer exists and is not applied. */
  Behind: [
    "NewerVersionFailed",
    "ManifestNotFound",
    "PlatformNotPublished",
    "VariantNotPublished",
    "MajorOnly",
    "UpdateDue",
    "RestartDue",
    "UpdateEnded",
  ],
  Updating: ["Updating", "CanaryInProgress", "Restarting", "RestoringRelease", "Baking", "Slow"],
  RollingBack: ["RollingBack"],
  /** It continues by itself, later, or once a person answers. */
  Waiting: [
    "HookRunning",
    "NoVerdict",
    "DigestReverted",
    "Requested",
    "WindowClosed",
    "Frozen",
    "TooYoung",
    "ApprovalRequired",
    "SoakRequired",
    "ScanRequired",
    "RestartDelayed",
    "LimitReached",
    "RemovingCanary",
    "BeingDeleted",
    ...parkReasons,
    ...waitReasons,
  ],
  /** It continues once a person has changed something, or something newer appears. */
  Held: [
    "Suspended",
    "PinnedByOwner",
    "CannotPin",
    "ManualChange",
    "Held",
    "UnknownVersion",
    "NoVersionMatches",
    "HaltedElsewhere",
    "Unverified",
  ],
  CircuitOpen: ["CircuitOpen"],
  /** An error, or a configuration that its owner has to fix. */
  Stalled: ["InvalidConfiguration", "UpdateFailed", "BudgetExceeded"],
  NotEvaluated: [
    "NotPolled",
    "AwaitsPoll",
    "NotDue",
    "NoTags",
    "OptedOut",
    "EvaluationFailed",
    "BudgetExceeded",
    "CrdOutdated",
  ],
} as const;

export type StateName = keyof typeof stateReasons;

/** A state and a reason of it. */
export type StateAndReason = {
  readonly [Name in StateName]: readonly [state: Name, reason: (typeof stateReasons)[Name][number]];
}[StateName];

export interface WorkloadState {
  readonly state: StateName;
  readonly reason: StateAndReason[1];
  /** A sentence for people. */
  readonly message: string;
}

export function createState([state, reason]: StateAndReason, message: string): WorkloadState {
  return { state, reason, message };
}

/** Reads a state that was written; undefined if none was, or one that this version does not know. */
export function parseState(
  state: string | undefined,
  reason: string | undefined,
  message: string,
): WorkloadState | undefined {
  const known = Object.entries(stateReasons).find(([name]) => name === state)?.[1] as readonly string[] | undefined;
  return reason !== undefined && known?.includes(reason) ? ({ state, reason, message } as WorkloadState) : undefined;
}

/** Reports whether two states are the same, also in their words. */
export function isSameState(one: WorkloadState, other: WorkloadState): boolean {
  return one.state === other.state && one.reason === other.reason && one.message === other.message;
}
