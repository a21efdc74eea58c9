import { describeJobs } from "../cron-job/schedule.ts";
import { isSynced } from "../git/decide-sync.ts";
import { isProposed } from "../git/git-claim.ts";
import { isManagedChange } from "../decision/manual-change.ts";
import { tagOf } from "../../image/reference.ts";
import type { Target } from "../target/target.ts";
import { higherVersion } from "../../version/compare-tags.ts";
import { versioningOf } from "../policy/versioning.ts";
import type { Workload } from "../workload.ts";
import { isHeldElsewhere } from "./claim.ts";
import type { InFlight } from "./in-flight.ts";

/**
 * Reports whether a newer version may take the place of an update that is parked, or waits for a merge: nothing runs its target, which was therefore
 * never judged. What it changed is reverted first. Digests that are tracked belong to the tag that was set.
 */
export function isSupersedable(workload: Workload, inFlight: InFlight): boolean {
  const { phase, parked, isApplied, git } = inFlight;
  // Its execution asks the host, and ends it if its pull request is still open.
  if (isProposed(inFlight)) return !isHeldElsewhere(workload) && !isSynced(inFlight, workload.image);
  if (parked === undefined || phase !== "rollout" || isApplied === false || workload.digests !== null) return false;
  // What it changed is not in the workload alone.
  if (git !== undefined) return false;
  return !isHeldElsewhere(workload) && isManagedChange(workload, inFlight) && runsNothing(workload, parked.jobs);
}

/** Reports whether this target is newer than that of a parked update of which nothing runs. */
export function supersedesParked(workload: Workload, inFlight: InFlight, { kind, image }: Target): boolean {
  const [own, other] = [tagOf(inFlight.target.image), tagOf(image)];
  const higher = higherVersion(own, other, versioningOf(workload.policy));
  return kind === "image" && own !== other && higher === other && isSupersedable(workload, inFlight);
}

function runsNothing({ rollout }: Workload, described: string | undefined): boolean {
  if (rollout === null) return false;
  const { jobs, desiredReplicas, isPaused, updatedReplicas } = rollout;
  if (jobs !== undefined) return !jobs.isActive && describeJobs(jobs) === described;
  return updatedReplicas === 0 && (desiredReplicas === 0 || isPaused === true);
}
