import type { Started } from "../record/update-record.ts";
import type { Change } from "../update/change.ts";
import type { InFlight } from "../update/in-flight.ts";
import type { Workload } from "../workload.ts";

/** Claims of a poll wait so long before one of them writes: then one commit has the images of all. */
export const batchSeconds = 15;

/** Returns the claim of an update that writes its image to git if its policy says so: the workload stays as it is. */
export function claimForGit({ policy: { writeTo } }: Pick<Workload, "policy">, start: Started, now: Date): Started {
  const { image, ...claim } = start;
  const { inFlight } = start;
  if (writeTo === undefined || inFlight.phase !== "rollout" || image === undefined) return start;
  const git = inFlight.git ?? { repository: writeTo, since: now };
  return { ...claim, inFlight: { ...inFlight, isApplied: false, git } };
}

/**
 * Returns a revert that writes the image to git if the update did, also if the workload never had it: its commit may still come. What ran before is restored
 * once its controller has read it.
 */
export function revertByGit({ git }: InFlight, change: Change, now: Date): Change {
  const { image: _image, ...others } = change;
  const { inFlight } = change;
  if (git === undefined || inFlight?.phase !== "rollback" || inFlight.previousImage === null) return change;
  const since = { repository: git.repository, since: now };
  return { ...others, inFlight: { ...inFlight, isApplied: false, git: since } };
}

/** Reports whether an update, or its rollback, waits until the workload has the image that git names. */
export function isSyncPending({ git, phase, isApplied }: InFlight): boolean {
  return git !== undefined && (phase === "rollback" ? isApplied === false : git.syncedAt === undefined);
}

/**
 * Reports whether the commit of an update, or its open pull request, may still come to the workload: it is followed, whatever happens meanwhile, until
 * then or until it is reverted.
 */
export function isCommitFollowed({ git, phase }: Pick<InFlight, "git" | "phase">): boolean {
  return phase !== "rollback" && (git?.commit ?? git?.url) !== undefined && git?.syncedAt === undefined;
}

/** Reports whether an update waits for the merge of its pull request. */
export function isProposed(inFlight: Pick<InFlight, "git" | "phase">): boolean {
  return isCommitFollowed(inFlight) && inFlight.git?.commit === undefined;
}

/** Returns what is recorded once the workload has the image: its health timeout counts from now. */
export function recordSynced(inFlight: InFlight, now: Date): Change {
  const { observation: _waited, git, ...update } = inFlight;
  if (git === undefined) return {};
  if (inFlight.phase === "rollback")
    return { inFlight: { ...update, git, isApplied: true, revertedAt: now } as InFlight };
  return { inFlight: { ...update, git: { ...git, syncedAt: now }, isApplied: true, startedAt: now } };
}
