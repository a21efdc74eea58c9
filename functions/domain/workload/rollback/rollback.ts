import { withAddition } from "../../health/evidence.ts";
import { isOwnImage } from "../update/applied-image.ts";
import { backOffChange, nextBackOff } from "../update/back-off.ts";
import { recordConfig } from "../config/record.ts";
import { restorePreviousDigests, rollbackPins } from "../digest/record.ts";
import { restoreDigests } from "../digest/written-digests.ts";
import { dropRestore, recordReleaseFailure } from "../release/record-restore.ts";
import type { Change } from "../update/change.ts";
import { type InFlight, type Suspect, toRollback } from "../update/in-flight.ts";
import type { BackOff, Workload } from "../workload.ts";
import { hasControl, isControlNeeded, priorFailure } from "./control.ts";
import { blamedRecord, rolledBackCondition, withdrawnRecord } from "./outcome.ts";

/**
 * Records the rollback of an update: counted, blamed and reverted in one change; `inFlight: null` follows it. If the version before it is
 * the control, it is only reverted: `concludeControl` follows. An aborted update is blamed, so that it is not tried again, but not
 * counted towards the circuit.
 */
export function recordRollback(
  workload: Workload,
  inFlight: InFlight,
  reason: string,
  now: Date,
  isAborted = false,
  wasReady = false,
): Change {
  return { ...revert(workload, inFlight, reason, now, isAborted, wasReady), ...answerAbort(workload, inFlight) };
}

function revert(
  workload: Workload,
  inFlight: InFlight,
  reason: string,
  now: Date,
  isAborted: boolean,
  wasReady: boolean,
): Change {
  const isAsked = workload.verdict === "abort";
  if (inFlight.release !== undefined)
    return recordReleaseFailure(workload, inFlight, isAsked ? "Withdrawn" : "RolledBack", reason, now);
  const isByPerson = isAborted || isAsked;
  // What a gate withholds is no person's verdict.
  const isVersionAborted = isAsked && inFlight.phase !== "restart" && workload.policy.optIn !== "no";
  if (inFlight.isApplied === false && !isVersionAborted) return recordUnapplied(workload, inFlight, reason, now);
  if (workload.policy.optIn === "no") return recordCancellation(workload, inFlight, reason, now);
  if (isByPerson || !hasControl(workload, inFlight)) return recordFailure(workload, inFlight, reason, now, isByPerson);
  const prior = priorFailure(workload, inFlight);
  if (prior !== null) return recordWithdrawal(workload, inFlight, "Withdrawn", withAddition(reason, prior), now, 1);
  return isControlNeeded(workload, inFlight)
    ? recordSuspicion(workload, inFlight, reason, now, wasReady)
    : recordFailure(workload, inFlight, reason, now, false);
}

/**
 * Records that an update is reverted without a verdict on its version: it is not blamed, and tried again. `failures` is 1 if its pods
 * failed, so that it counts towards the circuit. A person's abort takes precedence.
 */
export function recordWithdrawal(
  workload: Workload,
  inFlight: InFlight,
  kind: BackOff["reason"],
  reason: string,
  now: Date,
  failures: 0 | 1 = 0,
): Change {
  if (inFlight.release !== undefined) return recordReleaseFailure(workload, inFlight, "Withdrawn", reason, now);
  if (workload.verdict === "abort" || workload.policy.optIn === "no")
    return recordRollback(workload, inFlight, reason, now);
  return {
    ...restorePrevious(workload, inFlight, now),
    ...(inFlight.phase === "canary" ? {} : restorePreviousDigests(workload, inFlight)),
    canary: null,
    ...withdrawnRecord(workload, inFlight, kind, reason, now, failures),
  };
}

/**
 * Records that the cluster refused the claimed change: the claim ends, nothing is blamed, and it is tried again, but for a release: a
 * person has to ask again.
 */
export function recordRefusal(workload: Workload, inFlight: InFlight, reason: string, now: Date): Change {
  if (inFlight.release !== undefined) return dropRestore(workload, inFlight, reason);
  return {
    ...recordUnapplied(workload, inFlight, reason, now),
    ...backOffChange(nextBackOff(workload, inFlight.target, "Refused", reason, now)),
  };
}

/**
 * The change was claimed and not written, for example because the cluster denied it: no pod has shown that the version
 * fails, so it is not blamed. The canary of a promotion is removed, and digests are recorded as before.
 */
function recordUnapplied(workload: Workload, inFlight: InFlight, reason: string, now: Date): Change {
  return {
    ...restorePrevious(workload, inFlight, now),
    ...(inFlight.phase === "restart" ? restorePreviousDigests(workload, inFlight) : {}),
    canary: null,
    conditions: [rolledBackCondition(reason)],
  };
}

/** Restores what a rollback recorded and did not restore before its execution ended. A manual change stays. */
export function resumeRollback(workload: Workload, inFlight: InFlight, now: Date): Change {
  const { previousImage } = inFlight;
  const isTarget = workload.image !== null && isOwnImage(workload.image, inFlight);
  return {
    inFlight: toRollback(inFlight, true, now),
    ...(isTarget && previousImage !== null ? { image: previousImage } : {}),
    ...pinPrevious(workload, inFlight),
    ...restoreDigests(workload, inFlight),
    ...recordedDigests(workload),
    canary: null,
  };
}

/** Restores the previous image. Whether the target is blamed, shows the version before it. */
function recordSuspicion(workload: Workload, inFlight: InFlight, reason: string, now: Date, wasReady: boolean): Change {
  const restored = restorePrevious(workload, inFlight, now);
  const suspect: Suspect = { reason, execution: inFlight.execution ?? "", ...(wasReady ? { wasReady } : {}) };
  return {
    ...restored,
    inFlight: { ...restored.inFlight, suspect } as InFlight,
    conditions: [rolledBackCondition(reason)],
  };
}

/** Restores the previous image, blames the target version and counts it, once even if repeated. What nothing is restored of is only counted. */
function recordFailure(workload: Workload, inFlight: InFlight, reason: string, now: Date, isAborted: boolean): Change {
  const pinned = pinPrevious(workload, inFlight);
  // Nothing is restored by which the target could be compared.
  const restored = restorePrevious(workload, inFlight, now);
  const isBlamed = inFlight.phase !== "restart" || pinned.pins !== undefined || restored.written !== undefined;
  return {
    ...restored,
    ...pinned,
    // Some pods may run with it, so that its correction is a change.
    ...(inFlight.phase === "restart" ? recordConfig(workload, inFlight) : {}),
    ...blamedRecord(workload, inFlight, reason, now, { isAborted, isBlamed }),
  };
}

function answerAbort({ request, verdict }: Workload, { phase }: InFlight): Pick<Change, "answer"> {
  if (verdict !== "abort" || (request?.verb !== "abort" && request?.verb !== "rollback")) return {};
  const result =
    phase === "canary" ? "the canary is removed" : `the ${phase === "rollout" ? "update" : phase} is aborted`;
  return { answer: { token: request.token, verb: request.verb, result } };
}

/** The owner disabled auto-update during the update: restores the previous image, and blames no version. */
function recordCancellation(workload: Workload, inFlight: InFlight, reason: string, now: Date): Change {
  return { ...restorePrevious(workload, inFlight, now), conditions: [rolledBackCondition(reason)] };
}

/** A restart has no image to restore, but digests, if they are known and its owner allows it. Nor has it a configuration to restore. */
function pinPrevious(workload: Workload, { target }: InFlight): Pick<Change, "pins"> {
  const pins = target.kind === "digest" && workload.policy.rollsBackDigests ? rollbackPins(workload) : {};
  return Object.keys(pins).length === 0 ? {} : { pins };
}

/** Returns the digests that are recorded already: kubernetes-image-updater reads them on the workload. */
function recordedDigests({ digests }: Workload): Pick<Change, "digests"> {
  const deployed = digests?.deployed ?? {};
  return Object.keys(deployed).length === 0 ? {} : { digests: { deployed } };
}

/** Restores the image at once; the claim stays until the pods run it. */
function restorePrevious(workload: Workload, inFlight: InFlight, now: Date): Change {
  const rollback = toRollback(inFlight, true, now);
  if (inFlight.phase === "restart") return { inFlight: rollback, ...restoreDigests(workload, inFlight) };
  return {
    image: inFlight.previousImage,
    inFlight: rollback,
    // That of a promotion may still serve.
    ...(inFlight.phase === "canary" || workload.canary !== null ? { canary: null } : {}),
    ...(inFlight.phase === "canary" ? {} : restorePreviousDigests(workload, inFlight)),
  };
}
