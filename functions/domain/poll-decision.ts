import { isPawls, whatWasChanged } from "./claim.ts";
import { canaryProblems } from "./canary-problems.ts";
import { type Decision, hold } from "./decision.ts";
import { isDigestPinned, versionOf } from "./image-reference.ts";
import { isDue, parseSchedule } from "./schedule.ts";
import type { InFlight, Workload } from "./workload.ts";

/** The registry has to be asked before anything can be decided. */
export interface Undecided {
  readonly kind: "undecided";
  /** The image whose tags are to be listed; null where the workload is followed by digest alone. */
  readonly source: string | null;
}

/** What can be decided before a registry is asked. */
export function decideWithoutTags(workload: Workload, now: Date): Decision | Undecided {
  const { inFlight, policy, problems, source } = workload;
  if (workload.digests?.isHeldBack) return hold("being-deleted", "it is being deleted, and waits for a finalizer");
  if (inFlight !== null) return decideInFlight(workload, inFlight);
  if (!policy.enabled) return hold("disabled", "auto-update is not switched on");
  const obstacles = [...problems, ...canaryProblems(workload)];
  if (obstacles.length > 0) return { kind: "problem", problems: obstacles };
  if (workload.wanted !== null) return decideWanted(workload, workload.wanted);
  const isFollowed = workload.digests !== null && workload.digests.containers.length > 0;
  if (source === null && workload.digests === null)
    return hold("no-published-image", "no other image is published or asked for");
  if (policy.paused) return hold("paused", "pawl.dev/paused is set");
  const isTagFixed = source === null || isPinnedByHand(workload);
  if (isTagFixed && !isFollowed) return hold("digest-pinned", `${workload.image} is pinned by digest`);
  if (!isScheduled(workload, now)) return hold("not-due", `the schedule "${policy.schedule}" is not due`);
  return { kind: "undecided", source: isTagFixed ? null : source };
}

/** A digest that its owner wrote is its owner's choice. */
export function isPinnedByHand({ image, isPinned }: Pick<Workload, "image" | "isPinned">): boolean {
  return isDigestPinned(image ?? "") && !isPinned;
}

/** Its owner names the whole image: there is nothing to list and nothing to compare. */
function decideWanted({ policy }: Workload, image: string): Decision {
  if (policy.paused) return hold("paused", "pawl.dev/paused is set");
  return { kind: "update", version: versionOf(image), image };
}

/** Applied by Pawl and since then changed by a person: the marks go, the person's image stays. */
function decideInFlight(workload: Workload, inFlight: InFlight): Decision {
  const { policy } = workload;
  if (inFlight.execution === null && !policy.enabled) return hold("disabled", "auto-update is not switched on");
  if (inFlight.execution === null || isPawls(workload, inFlight)) return { kind: "adopt", inFlight };
  const what = whatWasChanged(workload, inFlight);
  return hold("changed-by-hand", `${what} while ${inFlight.targetImage} was rolled out`);
}

function isScheduled({ policy, bookkeeping }: Workload, now: Date): boolean {
  if (policy.schedule === null) return true;
  const schedule = parseSchedule(policy.schedule);
  return schedule.kind === "invalid" || isDue(schedule, bookkeeping.lastCheck, now);
}
