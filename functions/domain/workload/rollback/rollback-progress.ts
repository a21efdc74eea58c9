import { withAddition, withEvidence } from "../../health/evidence.ts";
import type { Failure } from "../../health/find-failure.ts";
import { isAsWritten, versionNameOf } from "../../image/reference.ts";
import { secondsBetween } from "../../text/rfc3339.ts";
import { recordedRevert } from "../update/completion.ts";
import { hasRollbackPins } from "../digest/record.ts";
import { isDigestRestored } from "../digest/written-digests.ts";
import { missingCondition, nextCheckSeconds, type Readiness } from "../update/readiness.ts";
import { isRestart } from "../target/target.ts";
import { observeRollout, podDeadlineSeconds } from "../update/progress-deadline.ts";
import type { Change } from "../update/change.ts";
import type { InFlight } from "../update/in-flight.ts";
import type { Rollout, Workload } from "../workload.ts";

/**
 * Assesses whether the pods run what a rollback restored. It waits for nothing if nothing was restored, and if its owner has
 * changed the workload since. The deadline counts from the rollback, and again from each pod that becomes ready, also if its controller
 * has not observed it: it must end.
 */
export function assessRollback(workload: Workload, inFlight: InFlight, now: Date): Readiness {
  const { revertedAt, unavailableBefore = 0 } = inFlight;
  const { rollout, policy } = workload;
  if (revertedAt === undefined || !isRestored(workload, inFlight) || rollout?.desiredReplicas === 0) {
    return { kind: "ready" };
  }
  const missing = missingCondition(rollout, null);
  if (missing === null || (rollout !== null && isAsAvailable(rollout, unavailableBefore))) return { kind: "ready" };
  const since = observeRollout(rollout, inFlight.observation, now)?.at ?? revertedAt;
  const elapsedSeconds = Math.min(secondsBetween(since, now), secondsBetween(revertedAt, now));
  const timeoutSeconds = podDeadlineSeconds(policy, rollout);
  if (elapsedSeconds <= timeoutSeconds) {
    const waitSeconds = nextCheckSeconds(elapsedSeconds, timeoutSeconds - elapsedSeconds);
    return { kind: "progressing", waitSeconds, reason: missing };
  }
  return { kind: "expired", reason: `${restoredName(inFlight)} was not ready ${timeoutSeconds} s later: ${missing}` };
}

/** Returns the verdict on a rollback of whose restored pods some have failed by themselves: nothing more is waited for. */
export function failRollback<Assessed extends { readonly kind: string }>(
  readiness: Assessed,
  inFlight: InFlight,
  { reason, evidence }: Failure,
): Assessed | { readonly kind: "expired"; readonly reason: string } {
  if (readiness.kind !== "ready" && readiness.kind !== "progressing") return readiness;
  return { kind: "expired", reason: withEvidence(`a pod of ${restoredName(inFlight)} ${reason}`, evidence) };
}

function restoredName({ release, previousImage }: InFlight): string {
  if (release !== undefined) return "the previous pod template";
  return previousImage === null ? "the previous digest" : versionNameOf(previousImage);
}

/** Reports whether all pods run what was restored, and no more of them are unavailable than were before the update. */
function isAsAvailable(rollout: Rollout, unavailableBefore: number): boolean {
  return missingCondition({ ...rollout, readyReplicas: rollout.readyReplicas + unavailableBefore }, null) === null;
}

/**
 * Assesses a rollback of a workload whose operator still runs the target. It ends after another health timeout: the operator's own
 * default may be the target.
 */
export function assessOperator({ policy }: Workload, executionStartedAt: Date, reason: string, now: Date): Readiness {
  const isExpired = secondsBetween(executionStartedAt, now) > 2 * policy.healthTimeoutSeconds;
  return isExpired
    ? { kind: "expired", reason }
    : { kind: "progressing", waitSeconds: nextCheckSeconds(0, policy.healthTimeoutSeconds), reason };
}

/** Reports whether the workload has what the rollback set. */
function isRestored(workload: Workload, { target, previousImage, release }: InFlight): boolean {
  if (release !== undefined) return workload.releases?.hash === release.previousHash;
  if (isRestart(target)) return hasRollbackPins(workload, target) || isDigestRestored(workload, target);
  return previousImage !== null && workload.image !== null && isAsWritten(workload.image, previousImage);
}

/** Releases the claim of a rollback, and records that the previous version did not become ready. Blames nothing for that. */
export function endRollback({ updateRecord }: Workload, inFlight: InFlight, unready: string | null): Change {
  const last = updateRecord.versionHistory.at(-1);
  if (unready === null || last === undefined || recordedRevert(updateRecord, inFlight) === null)
    return { inFlight: null };
  const reason = last.reason === undefined ? unready : withAddition(last.reason, unready);
  return {
    inFlight: null,
    conditions: [{ type: "AutoUpdateInProgress", status: "False", reason: "RolledBack", message: reason }],
    updateRecord: { versionHistory: [...updateRecord.versionHistory.slice(0, -1), { ...last, reason }] },
  };
}
