import { backOffChange, endBackOff, nextBackOff } from "../update/back-off.ts";
import type { Change } from "../update/change.ts";
import { restorePreviousDigests } from "../digest/record.ts";
import { appendHistory, createHistoryEntry } from "../record/history.ts";
import { countFailure } from "../update/count-failure.ts";
import { dropRestore } from "../release/record-restore.ts";
import { versionOfTarget } from "../target/target.ts";
import { type InFlight, observe } from "../update/in-flight.ts";
import type { Workload } from "../workload.ts";
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
  const ended = { ...inFlight, hook: { ...run, ...end } };
  return { inFlight: isJudgedAgain ? observe(ended, { kind: "observed", at: now, template }) : ended };
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
  const { target, release } = inFlight;
  const message = `${release === undefined ? "Not updated" : "Not rolled back"} to ${versionOfTarget(target)}: ${reason}`;
  const versionHistory = appendHistory(workload.updateRecord, createHistoryEntry(inFlight, "HookFailed", now, reason));
  const conditions = [{ type: "AutoUpdateInProgress", status: "False", reason: "HookFailed", message }] as const;
  // A person chose it, and may ask for it again.
  if (release !== undefined)
    return { ...dropRestore(workload, inFlight, reason), updateRecord: { versionHistory }, conditions };
  const isBlamed = result === "failed" && workload.policy.optIn !== "no";
  return {
    inFlight: null,
    ...(inFlight.phase === "canary" ? { analysis: null } : restorePreviousDigests(workload, inFlight)),
    updateRecord: { ...(isBlamed ? countFailure(workload, target, 1) : {}), versionHistory },
    ...(isBlamed ? endBackOff(workload) : backOffChange(nextBackOff(workload, target, "HookFailed", reason, now))),
    conditions,
  };
}
