import { isAsWritten } from "../../image/reference.ts";
import { formatRfc3339, fromEpoch } from "../../text/rfc3339.ts";
import { higherVersion } from "../../version/compare-tags.ts";
import type { Versioning } from "../../version/tag.ts";
import { truncate } from "../../text/summarize-list.ts";
import { type BackOffReason, isOfEvaluation } from "./back-off-reason.ts";
import type { Change } from "./change.ts";
import { type Decision, type Hold, hold } from "../decision/decision.ts";
import { nameTarget } from "../target/describe-target.ts";
import { isRestart, isSameTarget, type Target, versionOfTarget } from "../target/target.ts";
import type { InFlight } from "./in-flight.ts";
import type { Attempts, BackOff, Workload } from "../workload.ts";

const maxDelayMinutes = 60;

/** A poll that is killed costs all its workloads time, so the next attempt is later. */
const minQuarantineMinutes = 15;

/** In characters: the message of a webhook has no limit. */
const maxMessageLength = 1024;

/** Unexpected errors in a row after which nothing is tried again by itself. */
const maxFailures = 3;

/** Polls in a row in which a workload exceeded its budget, after which a person should look. Polls evaluate it all the same. */
const maxExceeded = 3;

/**
 * Returns the back-off after one more attempt that changed nothing for good: 1 minute after the first attempt for a
 * target, or 15 minutes of quarantine, doubled each time, up to 60 minutes. Unexpected errors are a series of their own, because they
 * stall, and quarantines too, which keep the back-off before them. If a restart fails while a version backs off, both wait, and each
 * counts its own attempts: otherwise each would end the back-off of the other.
 */
export function nextBackOff(
  workload: Pick<Workload, "backOff" | "image" | "requestedImage" | "inFlight">,
  target: Target,
  reason: BackOffReason,
  message: string,
  now: Date,
  execution: string | null = null,
): BackOff {
  const previousImage = previousImageOf(workload);
  const isOver = !isOfEvaluation(reason) && isOfEvaluation(workload.backOff?.reason);
  const last = isOver ? (workload.backOff?.suspended ?? null) : workload.backOff;
  const backOff = last === null || isImageChanged(last, previousImage) ? null : last;
  const before = backOff !== null && seriesOf(backOff.reason) === seriesOf(reason) ? backOff : null;
  const next = (attemptsOf(before, target)?.attempts ?? 0) + 1;
  const attempts = reason === "BudgetExceeded" ? Math.min(next, maxExceeded) : next;
  const firstMinutes = reason === "Quarantined" ? minQuarantineMinutes : 1;
  const delayMinutes = Math.min(firstMinutes * 2 ** (attempts - 1), maxDelayMinutes);
  const until = fromEpoch(now.getTime() + delayMinutes * 60_000);
  const isOther = (one: Attempts) => isRestart(one.target) !== isRestart(target);
  const other = allAttempts(before).find(isOther);
  const image = previousImage ?? before?.previousImage;
  const kept = isOfEvaluation(reason) ? suspendedBy(backOff) : undefined;
  return {
    reason,
    message: truncate(message, maxMessageLength),
    target,
    attempts,
    until,
    execution,
    ...(other === undefined ? {} : { other }),
    ...(kept === undefined ? {} : { suspended: kept }),
    ...(image === undefined ? {} : { previousImage: image }),
  };
}

/** Returns what a failed evaluation that follows this back-off suspends. */
function suspendedBy(backOff: BackOff | null): BackOff["suspended"] {
  return isOfEvaluation(backOff?.reason) ? backOff?.suspended : (backOff ?? undefined);
}

/** Returns the workload with the back-off that is valid now: after a quarantine the one before it. */
export function withResumedBackOff(workload: Workload, now: Date): Workload {
  const { backOff } = workload;
  return backOff?.suspended === undefined || backOff.until > now
    ? workload
    : { ...workload, backOff: backOff.suspended };
}

function seriesOf(reason: BackOffReason): BackOffReason | null {
  return reason === "Failed" || isOfEvaluation(reason) ? reason : null;
}

function allAttempts(backOff: BackOff | null): readonly Attempts[] {
  if (backOff === null) return [];
  const { target, attempts, until, other } = backOff;
  return [{ target, attempts, until }, ...(other === undefined ? [] : [other])];
}

/** Returns the attempts to reach this target; null if a back-off is not for it. */
export function attemptsOf(backOff: BackOff | null, target: Target): Attempts | null {
  return allAttempts(backOff).find((one) => isSameTarget(one.target, target)) ?? null;
}

/** Returns the image before the attempt; null if it is not known, and if the owner names each target. */
function previousImageOf({ image, requestedImage, inFlight }: Pick<Workload, "image" | "requestedImage" | "inFlight">) {
  if (requestedImage !== null) return null;
  return inFlight === null ? image : inFlight.previousImage;
}

/** Reports whether a person has set another image since the attempts. */
function isImageChanged({ previousImage }: BackOff, image: string | null): boolean {
  return previousImage !== undefined && image !== null && !isAsWritten(image, previousImage);
}

/** Reports whether an attempt is not repeated before a person asks for it, because it fails unexpectedly each time. */
export function isStalled({ reason, attempts }: Pick<BackOff, "reason" | "attempts">): boolean {
  return reason === "Failed" && attempts >= maxFailures;
}

/** Reports whether a workload exceeded its budget in enough consecutive polls that nothing new needs to be recorded. */
export function isExceededForLong({ reason, attempts }: Pick<BackOff, "reason" | "attempts">): boolean {
  return reason === "BudgetExceeded" && attempts >= maxExceeded;
}

/** Describes a back-off for people, with the time of the next attempt. */
export function describeBackOff(backOff: BackOff): string {
  const { message, target, attempts, until, reason } = backOff;
  if (reason === "BudgetExceeded")
    return `not evaluated in ${attempts === 1 ? "the last poll" : `${attempts} polls in a row`}: ${message}`;
  if (reason === "Quarantined")
    return `polls leave it out until ${formatRfc3339(until)} (time ${attempts}): ${message}; a request to push, roll back or restart waits too; "pawl retry" ends this at once`;
  const next = isStalled(backOff)
    ? `not tried again after ${attempts} unexpected errors; fix the cause, then run "pawl retry"`
    : `attempt ${attempts}, tried again at ${formatRfc3339(until)}`;
  return `${nameTarget(target)} is not applied (${next}): ${message}`;
}

/** Reports whether no attempt for this target may start yet. */
export function isBackingOff(
  { backOff, image, inFlight }: Pick<Workload, "backOff" | "image" | "inFlight">,
  target: Target,
  now: Date,
): boolean {
  const attempts = attemptsOf(backOff, target);
  if (backOff === null || attempts === null) return false;
  return isAhead({ ...backOff, ...attempts }, now) && (inFlight !== null || !isImageChanged(backOff, image));
}

/** Holds the adoption of an update whose execution was found to have failed; null if it is not backing off. */
export function claimBackOff({ backOff }: Workload, { execution }: InFlight, now: Date): Hold | null {
  if (backOff === null || execution === null || backOff.execution !== execution || !isAhead(backOff, now)) return null;
  return holdUntilNextAttempt(backOff);
}

/** Names a version or digest that a poll found, if it is newer than the target of a stalled claim: its record tries the claim again. */
export function withNewerVersion(
  held: Hold,
  { target: stalled }: InFlight,
  found: Decision,
  versioning: Versioning,
): Hold {
  if (found.kind !== "update" || isSameTarget(found.target, stalled)) return held;
  const { target } = found;
  const version = versionOfTarget(target);
  // Digests have no order: a restart is for one that was not deployed.
  const isNewer = isRestart(target) || higherVersion(version, versionOfTarget(stalled), versioning) === version;
  return isNewer ? { ...held, target } : held;
}

function isAhead(backOff: BackOff, now: Date): boolean {
  return isStalled(backOff) || backOff.until > now;
}

function holdUntilNextAttempt(backOff: BackOff): Hold {
  return hold("back-off", describeBackOff(backOff));
}

/** Returns the change that records a back-off, and reports it. */
export function backOffChange(backOff: BackOff): Pick<Change, "backOff" | "lastReported"> {
  return { backOff, lastReported: { held: describeBackOff(backOff) } };
}

/** Returns the change that ends a back-off: its target was observed, or is not the target any more. */
export function endBackOff({ backOff }: Pick<Workload, "backOff">): Pick<Change, "backOff"> {
  return backOff === null ? {} : { backOff: null };
}

/** The same, unless it is for a version: a restart says nothing about that. */
export function endBackOffOfRestart({ backOff }: Pick<Workload, "backOff">): Pick<Change, "backOff"> {
  const isOfVersion = allAttempts(backOff).some(({ target }) => !isRestart(target));
  return isOfVersion ? {} : endBackOff({ backOff });
}

/** Returns the change by which the next poll tries again. The failed execution of a claim stays known, so that it is not counted again. */
export function liftBackOff({ backOff, inFlight }: Pick<Workload, "backOff" | "inFlight">): Pick<Change, "backOff"> {
  if (backOff === null || inFlight === null) return endBackOff({ backOff });
  const { other: _other, suspended: _suspended, ...last } = { ...backOff, ...backOff.suspended };
  return { backOff: { ...last, attempts: 1, until: fromEpoch(0) } };
}
