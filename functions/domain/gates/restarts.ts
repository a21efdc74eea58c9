import { formatDuration } from "../text/duration.ts";
import { parseRfc3339, secondsAfter, secondsBetween } from "../text/rfc3339.ts";
import { changesOften } from "../workload/config/last-change.ts";
import type { Workload } from "../workload/workload.ts";
import type { Gate } from "./gate.ts";

const defaultSettleSeconds = 30;
const defaultIntervalSeconds = 300;

/** The configuration may still be edited, or has restarted the workload already. */
export const restartsGate: Gate = {
  name: "restarts",
  hold: "restart-delayed",
  isEvaluatedAgain: true,
  hasFacts: true,
  evaluate(workload, target, now) {
    if (target?.kind !== "config") return null;
    const { config, policy } = workload;
    const { settleSeconds = defaultSettleSeconds, minimumIntervalSeconds = defaultIntervalSeconds } = policy;
    const change = config?.lastChange;
    const since = change === undefined ? null : parseRfc3339(change.since);
    const settled = since === null || settleSeconds === 0 ? now : secondsAfter(since, settleSeconds);
    const restarted = lastRestart(workload, now, minimumIntervalSeconds);
    const until = restarted === null || restarted < settled ? settled : restarted;
    if (until <= now) return null;
    const isSettling = until === settled;
    const what = change?.references.join(", ") ?? "the configuration";
    const message = isSettling
      ? `${what} must not change for ${formatDuration(settleSeconds)}`
      : `${what} has changed, and restarts the workload at most once in ${formatDuration(minimumIntervalSeconds)}`;
    const isOften = change !== undefined && changesOften(change);
    return {
      reason: isOften ? "ConfigChangesOften" : isSettling ? "ConfigSettling" : "RestartedRecently",
      message: isOften ? `${message}, and changes often` : message,
      until,
      liftedBy: "pawl restart",
    };
  },
};

/**
 * Returns when the time between two restarts ends; null if it has ended. Recorded times have whole seconds. One that is further in the future
 * than the interval is none of Pawl's.
 */
function lastRestart({ restartedAt, updateRecord }: Workload, now: Date, intervalSeconds: number): Date | null {
  if (intervalSeconds === 0) return null;
  const ofConfig = updateRecord.versionHistory
    .filter(({ kind }) => kind === "config")
    .map(({ appliedAt }) => appliedAt);
  const ends = [...ofConfig, ...(restartedAt === null ? [] : [restartedAt])]
    .filter((at) => Math.abs(secondsBetween(at, now)) < intervalSeconds + 1)
    .map((at) => secondsAfter(at, intervalSeconds + 1));
  return ends.toSorted((one, other) => other.getTime() - one.getTime())[0] ?? null;
}
