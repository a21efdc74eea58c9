import { isAsWritten, tagOf } from "../../image/reference.ts";
import { secondsBetween } from "../../text/rfc3339.ts";
import { hasOwnClaim, lastVersion } from "../record/current-version.ts";
import type { Target } from "../target/target.ts";
import type { Change } from "../update/change.ts";
import type { InFlight } from "../update/in-flight.ts";
import type { UpdateRecord, Workload } from "../workload.ts";
import type { Reapplied } from "./set-back.ts";

const maxReplaced = 20;
const maxReapplied = 20;

/** Two owners that undo each other's work must not do so without end. */
const minSecondsBetween = 3600;

/**
 * Returns the version to apply again: its owner has set back an image that Pawl's own updates had replaced, and nothing else was set
 * since. null if its policy does not allow it, the version was applied again before, or any was within the last hour.
 */
export function versionToReapply(workload: Workload, now: Date): string | null {
  const { policy, updateRecord, record, image } = workload;
  const { currentVersion, reverts } = updateRecord;
  if (policy.onRevert !== "reapply" || hasOwnClaim(record) || image === null || reverts === undefined) return null;
  const { version, replaced, reapplied } = reverts;
  const isLast = version === currentVersion && version === lastVersion(workload);
  const isSetBack = tagOf(image) !== version && replaced.some((one) => isAsWritten(image, one));
  if (!isLast || !isSetBack || reapplied.some((one) => one.version === version)) return null;
  // A time in the future is one of another clock.
  const isRecent = reapplied.some(({ at }) => secondsBetween(at, now) < minSecondsBetween);
  return isRecent ? null : version;
}

/** Returns a workload as it would be without what Pawl has done since: the version that was set back is newer again. */
export function asSetBack({ updateRecord, ...workload }: Workload, version: string): Workload {
  const { reverts: _reverts, ...record } = updateRecord;
  const failedVersions = record.failedVersions.filter((one) => one === version);
  return { ...workload, updateRecord: { ...record, currentVersion: null, minimumVersion: null, failedVersions } };
}

/** Records, with its claim, that a version is applied again. Empty if the update is another one, or a person asked for it. */
export function recordReapplied(
  workload: Workload,
  { kind, image: target }: Target,
  owner: string | undefined,
  at: Date,
): Partial<UpdateRecord> {
  const { image, updateRecord, request } = workload;
  const version = versionToReapply(workload, at);
  const { reverts } = updateRecord;
  if (kind !== "image" || tagOf(target) !== version || request?.verb === "push" || !reverts || image === null)
    return {};
  const entry = { version, image, at, ...(owner === undefined ? {} : { owner }) };
  return { reverts: { ...reverts, reapplied: [...reverts.reapplied, entry].slice(-maxReapplied) } };
}

/** Returns the entry of an update in flight that applies a version again; null if it does not. */
export function reappliedBy(
  { reverts }: Pick<UpdateRecord, "reverts">,
  { startedAt, target }: Pick<InFlight, "startedAt" | "target">,
): Reapplied | null {
  const last = reverts?.reapplied.at(-1);
  const isOwn = last?.version === tagOf(target.image) && startedAt !== "malformed";
  return isOwn && secondsBetween(last.at, startedAt) === 0 ? last : null;
}

/** Returns the entry of an update that starts, or is started again by its execution; null if it applies nothing again. */
export function startedAgain(
  { updateRecord }: Workload,
  { inFlight, updateRecord: changed }: Pick<Change, "inFlight" | "updateRecord">,
): Reapplied | null {
  return inFlight ? reappliedBy({ ...updateRecord, ...changed }, inFlight) : null;
}

/** Records, with the success of an update, which images Pawl has replaced. An image that somebody else set begins a new list. */
export function recordReplaced(workload: Workload, { target, previousImage, phase }: InFlight): Partial<UpdateRecord> {
  const { policy, record, updateRecord } = workload;
  const isImage = target.kind === "image" && phase !== "restart" && previousImage !== null;
  if (policy.onRevert !== "reapply" || hasOwnClaim(record) || !isImage) return {};
  const version = tagOf(target.image);
  const { reverts } = updateRecord;
  const isContinued = reverts !== undefined && [version, tagOf(previousImage)].includes(reverts.version);
  const before = isContinued ? reverts.replaced.filter((one) => one !== previousImage) : [];
  const replaced = [...before, previousImage].slice(-maxReplaced);
  return { reverts: { version, replaced, reapplied: reverts?.reapplied ?? [] } };
}
