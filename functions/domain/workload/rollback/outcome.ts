import { backOffChange, endBackOff, nextBackOff } from "../update/back-off.ts";
import { recordedRevert } from "../update/completion.ts";
import { countAttempt, countFailure } from "../update/count-failure.ts";
import { appendHistory, createHistoryEntry } from "../record/history.ts";
import type { Change } from "../update/change.ts";
import type { InFlight } from "../update/in-flight.ts";
import type { BackOff, Workload } from "../workload.ts";

/** Returns what is recorded of an update that is reverted without a verdict, once even if repeated. */
export function withdrawnRecord(
  workload: Workload,
  inFlight: InFlight,
  kind: BackOff["reason"],
  reason: string,
  now: Date,
  failures: 0 | 1,
): Change {
  const { updateRecord } = workload;
  const isRecorded = recordedRevert(updateRecord, inFlight) === "Withdrawn";
  return {
    updateRecord: {
      ...(failures === 0 ? {} : countAttempt(workload, isRecorded ? 0 : failures)),
      versionHistory: appendHistory(updateRecord, createHistoryEntry(inFlight, "Withdrawn", now, reason)),
    },
    // A request is not repeated.
    ...(isRecorded || inFlight.target.kind === "restart"
      ? {}
      : backOffChange(nextBackOff(workload, inFlight.target, kind, reason, now))),
    conditions: [{ ...rolledBackCondition(reason), reason: "Withdrawn" }],
  };
}

/** Returns what is recorded of an update that failed, once even if repeated. Its target is blamed unless nothing could be restored. */
export function blamedRecord(
  workload: Workload,
  inFlight: InFlight,
  reason: string,
  now: Date,
  { isAborted = false, isBlamed = true } = {},
): Change {
  const { updateRecord } = workload;
  const isRecorded = recordedRevert(updateRecord, inFlight) === "RolledBack";
  const failures = isRecorded || isAborted ? 0 : 1;
  return {
    updateRecord: {
      ...(isBlamed ? countFailure(workload, inFlight.target, failures) : countAttempt(workload, failures)),
      versionHistory: isRecorded
        ? updateRecord.versionHistory
        : appendHistory(updateRecord, createHistoryEntry(inFlight, "RolledBack", now, reason)),
    },
    ...endBackOff(workload),
    conditions: [{ ...rolledBackCondition(reason), ...(hasHookFailed(inFlight) ? { reason: "HookFailed" } : {}) }],
  };
}

/** Reports whether the hook before the promotion of a canary is the cause: its pods were healthy. */
function hasHookFailed({ hook }: InFlight): boolean {
  return hook?.stage === "pre-promotion" && hook.result === "failed";
}

export function rolledBackCondition(reason: string) {
  return { type: "AutoUpdateInProgress", status: "False", reason: "RolledBack", message: reason } as const;
}
