import { withEvidence } from "../../health/evidence.ts";
import { isSameImage, versionNameOf } from "../../image/reference.ts";
import { describeProblems } from "../policy/problem.ts";
import type { InFlight } from "../update/in-flight.ts";
import type { Workload } from "../workload.ts";
import type { JobRun, JobSchedule } from "./job-run.ts";
import { hasJobEnded, hasLastJobFailed, isScheduledSince } from "./schedule.ts";

/** What the Jobs of a CronJob show of an update; the kinds are those of a `Readiness`. */
export type JobVerdict =
  | { readonly kind: "ready" }
  | { readonly kind: "waiting"; readonly reason: string }
  | { readonly kind: "expired" | "withdraw" | "unproven"; readonly reason: string };

/**
 * Assesses an update of a CronJob by the first Job of the target that has ended. No deadline counts before that. The Job before the update
 * is the control: if it failed too, the version is not blamed.
 */
export function assessJobs(
  workload: Pick<Workload, "policy" | "problems" | "rollout" | "image">,
  schedule: JobSchedule,
  inFlight: InFlight,
  runs: readonly JobRun[],
): JobVerdict {
  if (workload.policy.optIn === "no") return { kind: "expired", reason: "auto-update was disabled" };
  const first = oldestFirst(runs.filter((run) => run.result !== "running" && isOfUpdate(run, workload, inFlight)))[0];
  if (first?.result === "succeeded") return { kind: "ready" };
  if (workload.problems.length > 0)
    return { kind: "waiting", reason: `not judged until it is fixed: ${describeProblems(workload.problems)}` };
  if (first !== undefined) return assessFailure(first, workload, inFlight, runs);
  if (!hasJobEnded(schedule, inFlight)) return { kind: "waiting", reason: waitingReason(schedule, inFlight) };
  const other = runs.find(({ createdAt }) => isScheduledSince(createdAt, inFlight));
  return other === undefined ? assessDeleted(schedule) : { kind: "withdraw", reason: describeOther(other) };
}

/** One of an earlier attempt ran the same image. A person may have edited the template of another one. */
function isOfUpdate({ createdAt, image }: JobRun, { image: own }: Pick<Workload, "image">, { startedAt }: InFlight) {
  if (startedAt === "malformed" || createdAt < startedAt) return false;
  return image !== null && own !== null && isSameImage(image, own);
}

function assessFailure(
  { name, reason, isByItself, evidence }: JobRun,
  { rollout }: Pick<Workload, "rollout">,
  inFlight: InFlight,
  runs: readonly JobRun[],
): JobVerdict {
  const failed = withEvidence(`Job ${name} failed: ${reason}`, evidence);
  if (!isByItself || rollout?.isTemplateEdited) return { kind: "withdraw", reason: failed };
  const prior = priorFailure(inFlight, runs);
  return prior === null ? { kind: "expired", reason: failed } : { kind: "unproven", reason: `${failed}; ${prior}` };
}

/** Returns why the Job before the update cannot be its control; null if it can. */
function priorFailure(inFlight: InFlight, runs: readonly JobRun[]): string | null {
  const { previousImage } = inFlight;
  if (previousImage === null) return "no previous image is known to compare it with";
  return hasFailedBefore(inFlight, runs) ? `the last Job of ${versionNameOf(previousImage)} failed too` : null;
}

/** The claim says so of a Job that had ended, and the Jobs of one that ended since. */
function hasFailedBefore({ unavailableBefore = 0, startedAt }: InFlight, runs: readonly JobRun[]): boolean {
  const before = oldestFirst(runs.filter(({ createdAt }) => startedAt !== "malformed" && createdAt < startedAt)).at(-1);
  return unavailableBefore > 0 || before?.result === "failed";
}

/** Its controller had not seen the change yet, or somebody else has changed the image of the Job. */
function describeOther({ name, image }: JobRun): string {
  return `Job ${name} ran ${image ?? "no such container"} instead`;
}

/** The history limits of a CronJob, or a time to live, may delete a Job before it is read. The status of the CronJob still has its success. */
function assessDeleted(schedule: JobSchedule): JobVerdict {
  if (schedule.lastSucceededAt !== undefined && !hasLastJobFailed(schedule)) return { kind: "ready" };
  return { kind: "withdraw", reason: "its next Job did not succeed, and was deleted before it was read" };
}

function waitingReason(schedule: JobSchedule, { target }: InFlight): string {
  const isSuspended = schedule.isSuspended && !schedule.isActive;
  return isSuspended
    ? "not judged while it is suspended"
    : `not judged until a Job has run ${versionNameOf(target.image)}`;
}

function oldestFirst(runs: readonly JobRun[]): readonly JobRun[] {
  return runs.toSorted((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
}
