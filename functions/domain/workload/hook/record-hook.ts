import { versionOf } from "../../image/reference.ts";
import { backOffChange, endBackOff, nextBackOff } from "../back-off.ts";
import type { Change } from "../change.ts";
import { restorePreviousDigests } from "../digest/record.ts";
import { appendHistory, createHistoryEntry } from "../history.ts";
import { countFailure } from "../count-failure.ts";
import { dropRestore } from "../release/record-restore.ts";
import type { InFlight, Workload } from "../workload.ts";
import type { HookResult, HookRun } from "./hook.ts";

/** Records how a hook ended. The update continues: after its post hook it has another health timeout to be ready. */
export function recordHookEnd(
  { rollout }: Pick<Workload, "rollout">,
  inFlight: InFlight,
  run: HookRun,
  end: Pick<HookRun, "result" | "reason">,
  now: Date,
): Change {
  const { observation } = inFlight;
  const template = rollout?.template;
  const isJudgedAgain = run.stage === "post" && observation?.kind !== "baking" && template !== undefined;
  const judged = isJudgedAgain ? { observation: { kind: "observed", at: now, template } as const } : {};
  return { inFlight: { ...inFlight, hook: { ...run, ...end }, ...judged } };
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
  const { targetImage, release } = inFlight;
  const message = `${release === undefined ? "Not updated" : "Not rolled back"} to ${versionOf(targetImage)}: ${reason}`;
  const versionHistory = appendHistory(workload.updateRecord, createHistoryEntry(inFlight, "HookFailed", now, reason));
  const conditions = [{ type: "AutoUpdateInProgress", status: "False", reason: "HookFailed", message }] as const;
  // A person chose it, and may ask for it again.
  if (release !== undefined)
    return { ...dropRestore(workload, inFlight, reason), updateRecord: { versionHistory }, conditions };
  const isBlamed = result === "failed" && workload.policy.enabled;
  return {
    inFlight: null,
    ...(inFlight.phase === "canary" ? { analysis: null } : restorePreviousDigests(workload, inFlight)),
    updateRecord: {
      ...(isBlamed ? countFailure(workload, versionOf(targetImage), 1) : {}),
      versionHistory,
    },
    ...(isBlamed ? endBackOff(workload) : backOffChange(nextBackOff(workload, targetImage, "HookFailed", reason, now))),
    conditions,
  };
}
