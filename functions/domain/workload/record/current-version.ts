import { tagOf } from "../../image/reference.ts";
import { higherVersion } from "../../version/compare-tags.ts";
import { parseTag } from "../../version/parse-tag.ts";
import type { Versioning } from "../../version/tag.ts";
import { versioningOf } from "../policy/versioning.ts";
import type { Change } from "../update/change.ts";
import type { InFlight } from "../update/in-flight.ts";
import type { UpdateRecord, Workload } from "../workload.ts";

/**
 * Returns the current version as observed: before the first update the tag that runs; later the tag that a person has set,
 * unless it is lower.
 */
export function observedCurrentVersion(workload: Workload): Partial<UpdateRecord> {
  const { currentVersion } = workload.updateRecord;
  const image = currentVersion === null ? runningImage(workload) : workload.image;
  const tag = tagOf(image ?? "");
  const versioning = versioningOf(workload.policy);
  if (parseTag(tag, versioning) === null || tag === currentVersion) return {};
  const isSet = currentVersion !== null && workload.inFlight === null && isSetForward(tag, currentVersion, versioning);
  const isObserved = currentVersion === null || isSet;
  return isObserved ? { currentVersion: tag } : {};
}

/** Reports whether a tag that a person has set in place of the recorded version is not lower: it is the new current version. */
export function isSetForward(tag: string, currentVersion: string, versioning: Versioning): boolean {
  return parseTag(tag, versioning) !== null && higherVersion(tag, currentVersion, versioning) === tag;
}

/** Returns the higher of the version that was last healthy and the one whose update a person replaced. */
export function lastVersion({ updateRecord: { currentVersion, minimumVersion }, policy }: Workload): string | null {
  return minimumVersion === null ? currentVersion : higherVersion(currentVersion, minimumVersion, versioningOf(policy));
}

/** Returns the image that the workload runs, or requests, as far as the cluster reports it. */
export function runningImage(workload: Workload): string | null {
  return workload.image ?? workload.rollout?.image ?? null;
}

/**
 * Holds the version that a person has replaced, so that only a newer one is applied. It may never have been healthy, so it is not the
 * current one, except for a Claw, whose status has no other field. If its owner names each image, nothing is compared.
 */
export function holdVersion(workload: Workload, { target, phase }: InFlight): Change {
  const { currentVersion, minimumVersion } = workload.updateRecord;
  const versioning = versioningOf(workload.policy);
  const held = higherVersion(minimumVersion, tagOf(target.image), versioning);
  const isCompared = workload.requestedImage === null && (phase === "canary" || phase === "rollout");
  if (!isCompared || higherVersion(currentVersion, held, versioning) === currentVersion) return {};
  return { updateRecord: hasOwnClaim(workload.record) ? { currentVersion: held } : { minimumVersion: held } };
}

/**
 * Returns the version that is current after a success. In place of a higher one, which a person has replaced by a push or a rollback, that
 * one is held: only what is newer is applied. A Claw has no field for that, so its higher version stays the current one.
 */
export function recordVersion(workload: Workload, { phase, target }: InFlight): Partial<UpdateRecord> {
  const { currentVersion, minimumVersion } = workload.updateRecord;
  const versioning = versioningOf(workload.policy);
  if (phase === "restart") return currentAndHeld(workload, currentVersionAfterRestart(workload));
  const tag = tagOf(target.image);
  const highest = higherVersion(currentVersion, tag, versioning) ?? tag;
  if (parseTag(tag, versioning) === null || highest !== currentVersion || tag === currentVersion) {
    return currentAndHeld(workload, highest);
  }
  if (hasOwnClaim(workload.record)) return { currentVersion };
  return { currentVersion: tag, minimumVersion: higherVersion(minimumVersion, currentVersion, versioning) };
}

/** A version that was held does not matter any more once it, or a higher one, is current. */
function currentAndHeld(
  { updateRecord: { minimumVersion }, policy }: Workload,
  current: string,
): Partial<UpdateRecord> {
  const isHoldOver =
    minimumVersion !== null && higherVersion(current, minimumVersion, versioningOf(policy)) === current;
  return { ...(current === "" ? {} : { currentVersion: current }), ...(isHoldOver ? { minimumVersion: null } : {}) };
}

/**
 * A restart moves no tag, and may be for another container than the one tracked by tag: a manually chosen version
 * stays.
 */
function currentVersionAfterRestart({ source, image, updateRecord }: Workload): string {
  return source === null ? tagOf(image ?? "") : (updateRecord.currentVersion ?? "");
}

/** Reports whether the claim stands in the workload itself, which has no AutoUpdate. */
export function hasOwnClaim({ resourceVersion, state }: Workload["record"]): boolean {
  return resourceVersion === null && state === "observed";
}
