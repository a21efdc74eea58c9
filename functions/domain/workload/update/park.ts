import { writtenImage } from "../target/target.ts";
import { secondsBetween } from "../../text/rfc3339.ts";
import { knownVerdict } from "../canary/canary.ts";
import { ownerChange } from "../canary/follow.ts";
import { missingCanaryCondition } from "../canary/health.ts";
import { assessStage } from "../canary/stage.ts";
import { describeJobs, hasEndedSince } from "../cron-job/schedule.ts";
import { isSynced } from "../git/decide-sync.ts";
import { isProposed } from "../git/git-claim.ts";
import { hasOwnClaim } from "../record/current-version.ts";
import type { Workload } from "../workload.ts";
import type { Change } from "./change.ts";
import type { InFlight } from "./in-flight.ts";
import type { ParkedUpdate, ParkReason } from "./parked-update.ts";

/** How long the execution of an update sleeps, and what its claim records. */
export interface Parking {
  readonly parked: ParkedUpdate;
  readonly waitSeconds: number;
}

const minParkedSeconds = 3600;
const maxParkedSeconds = 6 * 3600;

/**
 * Returns how long the execution of an update sleeps that could not be judged `since` then; null if it continues to check. Without
 * replicas nothing runs, and a CronJob may be due in days, so that it sleeps at once; otherwise after an hour. It sleeps as long again as it
 * waits already, up to six hours, and an hour at a time if a canary runs or a pull request is open.
 */
export function planParking(workload: Workload, inFlight: InFlight, since: Date, now: Date): Parking | null {
  const reason = parkReason(workload, inFlight, now);
  const seconds = secondsBetween(since, now);
  const isAtOnce = reason === "NoReplicas" || reason === "NextJob";
  if (reason === null || (!isAtOnce && seconds < minParkedSeconds)) return null;
  const max = inFlight.phase === "canary" || reason === "PullRequest" ? minParkedSeconds : maxParkedSeconds;
  const waitSeconds = Math.ceil(Math.min(Math.max(seconds, minParkedSeconds), max, secondsLeft(workload, reason, now)));
  const { jobs } = workload.rollout ?? {};
  return { parked: { reason, since, ...(jobs === undefined ? {} : { jobs: describeJobs(jobs) }) }, waitSeconds };
}

/**
 * Returns how long the execution of a canary sleeps whose next step would write an image that is not verified any more; null if its kind has no
 * place to note it.
 */
export function planUnverified({ record }: Workload, { parked }: InFlight, now: Date): Parking | null {
  if (hasOwnClaim(record)) return null;
  const since = parked?.reason === "Unverified" ? parked.since : now;
  return { parked: { reason: "Unverified", since }, waitSeconds: minParkedSeconds };
}

/** Returns when the pause of a canary ends by itself. */
function secondsLeft({ canaryProgress }: Workload, reason: ParkReason, now: Date): number {
  const until = canaryProgress?.until ?? null;
  return reason === "CanaryPaused" && until !== null ? secondsBetween(now, until) : Infinity;
}

/**
 * Returns what keeps an update from being judged until a person acts or scales, or a Job has run; null if nothing does. A poll compares it with what the claim
 * records: a step that has parked an update and the poll that continues it thereby never disagree.
 */
export function parkReason(workload: Workload, inFlight: InFlight, now: Date): ParkReason | null {
  const { policy, problems, rollout, record, failsWithoutPods, verdict } = workload;
  if (policy.optIn === "no" || inFlight.phase === "rollback" || hasOwnClaim(record)) return null;
  if (inFlight.phase === "canary") return canaryParkReason(workload, inFlight, now);
  if (verdict === "abort") return null;
  if (isProposed(inFlight)) return isSynced(inFlight, workload.image) ? null : "PullRequest";
  if (problems.length > 0) return rollout?.isPaused ? "WorkloadPaused" : "InvalidSetting";
  if (rollout?.jobs !== undefined) return "NextJob";
  const hasNoPods = rollout?.desiredReplicas === 0 && rollout.podsPer !== "job";
  return hasNoPods && !failsWithoutPods ? "NoReplicas" : null;
}

/**
 * In the order in which the steps of a canary ask. One whose pods are not all available is checked. What is not verified stays so for the
 * cluster: the poll asks who signed it. A person may promote what is not healthy, but not what is not verified.
 */
function canaryParkReason(workload: Workload, inFlight: InFlight, now: Date): ParkReason | null {
  const { canary, problems, rollout, canaryProgress, verdict } = workload;
  const isUnverified = inFlight.parked?.reason === "Unverified";
  if (isUnverified && verdict === "promote") return "Unverified";
  if (knownVerdict(workload, inFlight, now) !== null) return null;
  if (rollout?.isPaused && ownerChange(workload)?.kind !== "resize") return "WorkloadPaused";
  const isHealthy = missingCanaryCondition(canary, writtenImage(inFlight.target)) === null;
  const isAsLeft = isHealthy && ownerChange(workload) === null;
  if (isUnverified) return isAsLeft ? "Unverified" : null;
  if (canaryProgress?.waitsFor === "Promotion") {
    const stage = assessStage(workload, now);
    return isAsLeft && stage.kind === "paused" && stage.edited === null ? "CanaryPaused" : null;
  }
  return problems.length > 0 ? "InvalidSetting" : null;
}

/**
 * Reports whether the execution of a parked update sleeps, so that nothing needs to be asked about it, or whether the wait is over. null if
 * the update is not parked, or if its execution has not renewed the claim: it may have been stopped.
 */
export function sleepState(workload: Workload, inFlight: InFlight, now: Date): "asleep" | "over" | null {
  const { parked } = inFlight;
  if (parked === undefined) return null;
  if (parkReason(workload, inFlight, now) !== parked.reason) return "over";
  const jobs = workload.rollout?.jobs;
  if (jobs !== undefined && hasEndedSince(jobs, parked.jobs)) return "over";
  const { claimExpiresAt } = workload.record;
  return claimExpiresAt !== undefined && claimExpiresAt > now ? "asleep" : null;
}

/** Returns what a check has to record: that the update is parked, or `null` that it is not any more. Nothing if that is recorded. */
export function recordParked(inFlight: InFlight | null, parked: ParkedUpdate | null): Pick<Change, "parked"> {
  const before = inFlight?.parked;
  return before?.reason === parked?.reason && before?.jobs === parked?.jobs ? {} : { parked };
}
