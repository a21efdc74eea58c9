import { versionOf } from "../../image/reference.ts";
import { backOffChange, endBackOff, nextBackOff } from "../back-off.ts";
import type { Change } from "../change.ts";
import { restorePreviousDigests } from "../digest/record.ts";
import { appendHistory, createHistoryEntry } from "../history.ts";
import { countFailure } from "../count-failure.ts";
import type { InFlight, Workload } from "../workload.ts";
import type { HookResult, HookRun } from "./hook.ts";

/** Records how a hook ended. The update continues. */
export function recordHookEnd(inFlight: InFlight, hook: HookRun, result: HookResult, reason: string): Change {
  const about = result === "succeeded" ? {} : { reason };
  return { inFlight: { ...inFlight, hook: { ...hook, result, ...about } } };
}

/**
 * Records that the hook before an update did not succeed, and ends the update: the workload was not changed. Its version is counted
 * and blamed only if the Job failed; otherwise it is tried again.
 */
export function recordHookFailure(
  workload: Workload,
  inFlight: InFlight,
  result: Exclude<HookResult, "succeeded">,
  reason: string,
  now: Date,
): Change {
  const { targetImage } = inFlight;
  const isBlamed = result === "failed" && workload.policy.enabled;
  const message = `Not updated to ${versionOf(targetImage)}: ${reason}`;
  return {
    inFlight: null,
    ...(inFlight.phase === "canary" ? { analysis: null } : restorePreviousDigests(workload, inFlight)),
    updateRecord: {
      ...(isBlamed ? countFailure(workload, versionOf(targetImage), 1) : {}),
      versionHistory: appendHistory(workload.updateRecord, createHistoryEntry(inFlight, "HookFailed", now, reason)),
    },
    ...(isBlamed ? endBackOff(workload) : backOffChange(nextBackOff(workload, targetImage, "HookFailed", reason, now))),
    conditions: [{ type: "AutoUpdateInProgress", status: "False", reason: "HookFailed", message }],
  };
}
