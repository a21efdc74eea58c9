import { endBackOff } from "./back-off.ts";
import { recordConfig } from "../config/record.ts";
import { hasOwnClaim, holdVersion } from "../record/current-version.ts";
import { describeManualChange, isManagedChange } from "../decision/manual-change.ts";
import { withoutRestore } from "../release/record-restore.ts";
import type { Change } from "./change.ts";
import type { VerificationOutcome } from "../../signature/outcome.ts";
import type { RuleScope } from "../../signature/rule.ts";
import { verificationFailure } from "./verified-change.ts";
import { imageOfTarget, isSameTarget, type Target } from "../target/target.ts";
import type { InFlight } from "./in-flight.ts";
import type { Workload } from "../workload.ts";

/** The workload as read, and its update in flight, which the execution holds. */
export interface HeldClaim {
  readonly kind: "held";
  readonly workload: Workload;
  readonly inFlight: InFlight;
}

export type Claim = HeldClaim | { readonly kind: "lost"; readonly reason: string };

/**
 * Checks whether `execution` still holds the claim on a workload for `target`. Every step checks before it writes: the
 * loser of a race, and an execution overtaken by a manual change, write nothing more.
 */
export function checkClaim(workload: Workload | null, execution: string, target: Target): Claim {
  if (workload === null) return lost("workload not found (deleted or recreated)");
  const { inFlight } = workload;
  if (inFlight === null) return lost("the update is no longer in flight");
  if (isHeldElsewhere(workload)) return lost(heldElsewhere);
  if (inFlight.execution !== execution) return lost(`the claim is held by ${inFlight.execution ?? "a manual update"}`);
  if (!isSameTarget(inFlight.target, target)) return lost(describeOtherTarget(inFlight));
  if (!isManagedChange(workload, inFlight)) return lost(describeManualChange(workload, inFlight));
  return { kind: "held", workload, inFlight: withDigestOf(inFlight, target) };
}

/** What an execution was started with, and has verified, counts: others may write the status. */
export function withDigestOf<Claimed extends InFlight>(inFlight: Claimed, target: Target): Claimed {
  if (inFlight.target.kind !== "image" || target.kind !== "image" || target.digest === undefined) return inFlight;
  const { digest, pinned } = target;
  return { ...inFlight, target: { ...inFlight.target, digest, ...(pinned === undefined ? {} : { pinned }) } };
}

/**
 * Returns the change that ends an update whose workload a person has changed: the canary is removed, the image stays,
 * nothing is blamed. null if `execution` does not hold the claim, or nothing was changed.
 */
export function withdrawalChange(workload: Workload | null, execution: string): Change | null {
  const inFlight = workload?.inFlight ?? null;
  if (workload === null || inFlight?.execution !== execution || inFlight.phase !== "canary") return null;
  if (isHeldElsewhere(workload)) return null;
  return isManagedChange(workload, inFlight) ? null : releaseChange(workload, inFlight);
}

/** Returns the change that ends the claim on a workload that a person has changed. */
export function releaseChange(workload: Workload, inFlight: InFlight): Change {
  return {
    inFlight: null,
    ...endBackOff(workload),
    ...(inFlight.phase === "canary" ? { canary: null, verdict: null } : {}),
    // A person who reverts a restart does not want it again.
    ...(inFlight.phase === "restart" ? recordConfig(workload, inFlight) : {}),
    ...withoutRestore(workload, inFlight, describeManualChange(workload, inFlight)),
    ...holdVersion(workload, inFlight),
  };
}

/**
 * Reports whether an execution ends the claim on a manually changed workload, because only an updater may write there:
 * to a canary, and to a workload that has the claim in itself.
 */
export function isReleasedByExecution({ record }: Workload, { phase }: InFlight): boolean {
  return phase === "canary" || hasOwnClaim(record);
}

/** Returns why a claimed change must not be written any more; null if it may, and if it is written. */
export function withheldReason(
  workload: Workload,
  { isApplied, phase, target, git }: InFlight,
  verification?: VerificationOutcome,
  scopes?: readonly RuleScope[],
): string | null {
  if (isApplied !== false || phase === "rollback") return null;
  if (workload.policy.optIn === "no") return "auto-update was disabled before the change";
  // It may be in git already: no answer reverts nothing. `SyncUpdate` writes nothing either.
  if (git !== undefined && verification?.kind === "unknown") return null;
  return verificationFailure(workload, target, verification, scopes);
}

/** Returns why a claim is lost whose target is another one now. */
export function describeOtherTarget({ target }: InFlight): string {
  return `the target was changed to ${imageOfTarget(target)}`;
}

export const heldElsewhere = "the claim is held by another installation";

/** Reports whether another installation holds the claim. Its executions have the same names: these are built from what they do. */
export function isHeldElsewhere({ record }: Workload): boolean {
  return record.claimedElsewhereUntil !== null;
}

function lost(reason: string): { readonly kind: "lost"; readonly reason: string } {
  return { kind: "lost", reason };
}
