import { formatDuration } from "../../text/duration.ts";
import { formatRfc3339, secondsBetween } from "../../text/rfc3339.ts";
import { bakingSince } from "../bake/assess-bake.ts";
import { hasOwnClaim } from "../record/current-version.ts";
import { describeTarget } from "../target/describe-target.ts";
import { targetKey } from "../target/target.ts";
import type { Workload } from "../workload.ts";
import type { InFlight } from "./in-flight.ts";
import { podDeadlineSeconds } from "./progress-deadline.ts";

const minSlowSeconds = 3600;

/** What is reported, once, of an update that is slow: nothing is reverted. */
interface SlowReport {
  readonly type: "Normal";
  readonly reason: "AutoUpdateSlow";
  readonly message: string;
  readonly key: string;
}

/**
 * Returns what to report of an update that takes longer than its pods may take one after the other, and than an hour; null if it does not,
 * or if that is reported. The claim of a StatefulCanary has no place to note it.
 */
export function slowReport(workload: Workload, inFlight: InFlight, now: Date): SlowReport | null {
  const { rollout, policy, problems, record } = workload;
  const { phase, startedAt, target, isSlow } = inFlight;
  const isRollout = phase !== "canary" && phase !== "rollback" && bakingSince(inFlight) === null;
  if (!isRollout || isSlow || startedAt === "malformed" || rollout === null || hasOwnClaim(record)) return null;
  if (problems.length > 0 || rollout.readyReplicas >= rollout.desiredReplicas) return null;
  const limitSeconds = Math.max(minSlowSeconds, rollout.desiredReplicas * podDeadlineSeconds(policy, rollout));
  if (secondsBetween(startedAt, now) <= limitSeconds) return null;
  const { updatedReplicas, desiredReplicas } = rollout;
  return {
    type: "Normal",
    reason: "AutoUpdateSlow",
    message: `The ${describeTarget(target)} has taken longer than ${formatDuration(limitSeconds)}, and continues: ${updatedReplicas} of ${desiredReplicas} replicas updated`,
    key: `${targetKey(target)} ${formatRfc3339(startedAt)}`,
  };
}
