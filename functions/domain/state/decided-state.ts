import type { Decision, Hold, HoldReason } from "../workload/decision/decision.ts";
import { describeProblems } from "../workload/policy/problem.ts";
import { describeRequest } from "../workload/request/person-request.ts";
import { describeTarget } from "../workload/target/describe-target.ts";
import { isRestart } from "../workload/target/target.ts";
import type { Workload } from "../workload/workload.ts";
import { createState, type StateAndReason, type WorkloadState } from "./state.ts";
import { withEvaluation } from "./current-state.ts";
import { lastEvaluation, recordedState } from "./recorded-state.ts";

/** null: what is recorded says more. */
const byHold: Readonly<Record<HoldReason, StateAndReason | null>> = {
  disabled: ["NotEvaluated", "OptedOut"],
  paused: ["Held", "Suspended"],
  "digest-pinned": ["Held", "PinnedByOwner"],
  "no-published-image": null,
  "not-due": ["NotEvaluated", "NotDue"],
  "outside-windows": ["Waiting", "WindowClosed"],
  halted: ["Held", "HaltedElsewhere"],
  limited: ["Waiting", "LimitReached"],
  frozen: ["Waiting", "Frozen"],
  "too-young": ["Waiting", "TooYoung"],
  unverified: ["Held", "Unverified"],
  "awaiting-approval": ["Waiting", "ApprovalRequired"],
  "awaiting-soak": ["Waiting", "SoakRequired"],
  "awaiting-scan": ["Waiting", "ScanRequired"],
  "restart-delayed": ["Waiting", "RestartDelayed"],
  "no-tags": ["NotEvaluated", "NoTags"],
  "no-newer-version": ["UpToDate", "NewestVersion"],
  "no-match": ["Held", "NoVersionMatches"],
  "newer-failed": ["Behind", "NewerVersionFailed"],
  "manifest-not-found": ["Behind", "ManifestNotFound"],
  "platform-not-published": ["Behind", "PlatformNotPublished"],
  "cannot-pin": ["Held", "CannotPin"],
  "unknown-version": ["Held", "UnknownVersion"],
  "variant-not-published": ["Behind", "VariantNotPublished"],
  "major-only": ["Behind", "MajorOnly"],
  "manual-change": ["Held", "ManualChange"],
  "circuit-open": null,
  "same-digest": ["UpToDate", "SameDigest"],
  "reverted-digest": ["Waiting", "DigestReverted"],
  "same-config": ["UpToDate", "SameConfiguration"],
  "canary-left": ["Waiting", "RemovingCanary"],
  "back-off": null,
  "being-deleted": ["Waiting", "BeingDeleted"],
};

/** A schedule that is not due leaves what the last evaluation found, but not what was found without a registry, or could not be stored. */
const withoutRegistry: ReadonlySet<string> = new Set(["OptedOut", "Suspended", "PinnedByOwner", "CrdOutdated"]);

/** Returns the state that a hold leads to; null if what is recorded says more. */
export function heldState(workload: Pick<Workload, "evaluated">, { reason, detail }: Hold): WorkloadState | null {
  const last = lastEvaluation(workload);
  if (reason === "not-due" && last !== undefined && !withoutRegistry.has(last.reason)) return last;
  // A poll of a later version may send a reason that this one does not know.
  const found = byHold[reason] ?? null;
  return found === null ? null : createState(found, detail);
}

/** Returns the state to which a decision of the next poll leads, before it is carried out. */
export function decidedState(workload: Workload, decision: Decision, now: Date): WorkloadState {
  const decided = { ...withEvaluation(workload), lastReported: nothingReported };
  if (decision.kind === "hold" && decision.ended?.reason === "BudgetExceeded")
    return createState(["NotEvaluated", "BudgetExceeded"], decision.detail);
  if (decision.kind === "hold") return recordedState(decided, now, heldState(workload, decision));
  if (decision.kind === "adopt") return recordedState(decided, now);
  if (decision.kind === "request")
    return createState(["Waiting", "Requested"], `requested: ${describeRequest(decision)}`);
  if (decision.kind === "problem")
    return createState(["Stalled", "InvalidConfiguration"], describeProblems(decision.problems));
  const { target } = decision;
  return createState(["Behind", isRestart(target) ? "RestartDue" : "UpdateDue"], `${describeTarget(target)} is due`);
}

/** A decision replaces what was reported before it. */
const nothingReported = { held: null, problem: null } as const;
