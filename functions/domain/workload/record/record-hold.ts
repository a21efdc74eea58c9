import { holdsByFacts, isHeldByGate } from "../../gates/gates.ts";
import { isUnfinished } from "../../gates/schedule.ts";
import { tagOf } from "../../image/reference.ts";
import { truncate } from "../../text/summarize-list.ts";
import { backOffChange, endBackOff, isExceededForLong, liftBackOff, nextBackOff } from "../update/back-off.ts";
import type { Change } from "../update/change.ts";
import { isReleasedByExecution, releaseChange } from "../update/claim.ts";
import type { EndedAttempt, Hold, HoldReason } from "../decision/decision.ts";
import type { CheckRecord } from "./ensure-record.ts";
import { backOffEvent, updateAvailableEvent, updateHeldEvent } from "../event/events.ts";
import { hasOwnClaim, observedCurrentVersion } from "./current-version.ts";
import { type Target, versionOfTarget } from "../target/target.ts";
import type { InFlight } from "../update/in-flight.ts";
import type { UpdateRecord, Workload } from "../workload.ts";

/** Hold reasons that need attention, with the reason of their Event; the others are expected. */
const eventReasons: Partial<Record<HoldReason, string>> = {
  "circuit-open": "AutoUpdateCircuitOpen",
  "manual-change": "AutoUpdateHeld",
  "unknown-version": "AutoUpdateHeld",
  "manifest-not-found": "AutoUpdateHeld",
  unverified: "AutoUpdateHeld",
  "cannot-pin": "AutoUpdateHeld",
  "awaiting-approval": "AutoUpdateHeld",
  "awaiting-scan": "AutoUpdateHeld",
};

/** Hold reasons that are known only after listing the tags: they replace the hold that was reported before. */
const reasonsAfterListing: ReadonlySet<HoldReason> = new Set([
  "no-newer-version",
  "no-match",
  "newer-failed",
  "manifest-not-found",
  "circuit-open",
  "manual-change",
  "unknown-version",
  "variant-not-published",
  "major-only",
  "same-digest",
  "reverted-digest",
  "same-config",
  "back-off",
  "outside-windows",
  ...holdsByFacts,
]);

/** In characters. What is stored is compared with the next report, so it must not be truncated later. */
export const maxReportLength = 4096;

/** Plans the record of a hold. */
export function recordHold(workload: Workload, long: Hold, now: Date): CheckRecord {
  const hold = { ...long, detail: truncate(long.detail, maxReportLength) };
  const { inFlight, lastReported } = workload;
  if (hold.reason === "manual-change" && inFlight !== null) return recordSuperseded(workload, inFlight, hold);
  if (hold.ended !== undefined) return recordEnded(workload, hold.ended, now);
  // Content that changes before it restarts anything is not announced.
  const found = hold.reason === "restart-delayed" ? null : hold.target;
  const available = found !== null && isNewlyAvailable(workload, found) ? found : null;
  if (hold.reason === "back-off" && inFlight !== null && available !== null) return retryStalled(workload, available);
  const isListed = reasonsAfterListing.has(hold.reason);
  const eventReason = eventReasons[hold.reason];
  // Its Event was emitted when the back-off was recorded.
  const isBackingOff = hold.reason === "back-off";
  const held = eventReason === undefined && !isBackingOff ? null : hold.detail;
  const heldEvents =
    eventReason === undefined || held === lastReported.held
      ? []
      : [updateHeldEvent(eventReason, hold.detail, hold.target && versionOfTarget(hold.target))];
  const change = omitEmpty({
    updateRecord: isListed && inFlight === null ? updateRecordOf(workload, hold, available, now) : {},
    lastReported: {
      ...(lastReported.problem === null ? {} : { problem: null }),
      ...(isListed && held !== lastReported.held ? { held } : {}),
    },
    digests: digestChange(hold, now),
    ...(hold.config === undefined ? {} : { config: hold.config }),
    ...(isListed && !isBackingOff ? endBackOff(workload) : {}),
  });
  return {
    change,
    events: available === null ? heldEvents : [updateAvailableEvent(workload, available), ...heldEvents],
  };
}

/** Tries a stalled claim again, once for each newer version, which follows once the claim is completed. */
function retryStalled(workload: Workload, target: Target): CheckRecord {
  const updateRecord = { candidateVersion: versionOfTarget(target) };
  return {
    change: { updateRecord, ...liftBackOff(workload), lastReported: { held: null } },
    events: [updateAvailableEvent(workload, target)],
  };
}

/** Begins the back-off of an attempt whose execution has ended. */
function recordEnded(workload: Workload, ended: EndedAttempt, now: Date): CheckRecord {
  const { target, reason, message, execution } = ended;
  const { backOff: last } = workload;
  if (last !== null && last.reason === reason && isExceededForLong(last)) return { change: null, events: [] };
  const backOff = nextBackOff(workload, target, reason, message, now, execution);
  const event = backOffEvent(backOff);
  return { change: backOffChange(backOff), events: event === null ? [] : [event] };
}

/** Releases the claim of an update that a person changed, and keeps the image; or an execution does, which is started next. */
function recordSuperseded(workload: Workload, inFlight: InFlight, { detail }: Hold): CheckRecord {
  const heldEvent = updateHeldEvent("AutoUpdateHeld", detail, tagOf(inFlight.target.image));
  const lastReported = { held: detail };
  if (!isReleasedByExecution(workload, inFlight)) {
    return { change: { ...releaseChange(workload, inFlight), lastReported }, events: [heldEvent] };
  }
  return workload.lastReported.held === detail
    ? { change: null, events: [] }
    : { change: { lastReported }, events: [heldEvent] };
}

/** A last check is written if a schedule counts from it, or together with another change. */
function updateRecordOf(workload: Workload, held: Hold, available: Target | null, now: Date) {
  const { available: newest } = held;
  const discovered = {
    ...observedCurrentVersion(workload),
    ...newestFound(workload, newest),
    ...(available === null ? {} : { candidateVersion: versionOfTarget(available) }),
  };
  // A schedule is open because a gate is still closed: it counts from the check that found that.
  const isHeldAgain = isHeldByGate(held) && isUnfinished(workload);
  const needsWrite = (workload.policy.schedule !== null && !isHeldAgain) || Object.keys(discovered).length > 0;
  return needsWrite ? { ...discovered, lastCheck: now } : {};
}

/** Returns the newest version that was found, if it was not recorded yet. A kind with a record of its own has no field for it. */
export function newestFound({ updateRecord, record }: Workload, found: string | undefined): Partial<UpdateRecord> {
  const isNew = found !== undefined && found !== updateRecord.availableVersion && !hasOwnClaim(record);
  return isNew ? { availableVersion: found } : {};
}

/** Reports whether a target was not found before. A request is no version that was found. */
export function isNewlyAvailable({ updateRecord }: Workload, target: Target): boolean {
  return target.kind === "restart" || versionOfTarget(target) !== updateRecord.candidateVersion;
}

/** Dates digests that a tag moved back to from now. */
function digestChange({ digests = {} }: Hold, now: Date): NonNullable<Change["digests"]> {
  const { reverted, ...rest } = digests;
  if (reverted === undefined) return rest;
  return { ...rest, reverted: reverted === null ? null : { since: now, digests: reverted } };
}

type Parts = Required<Pick<Change, "updateRecord" | "lastReported" | "digests">> & Pick<Change, "backOff" | "config">;

function omitEmpty({ updateRecord, lastReported, digests, ...others }: Parts): Change | null {
  const written = {
    ...(Object.keys(updateRecord).length > 0 ? { updateRecord } : {}),
    ...(Object.keys(lastReported).length > 0 ? { lastReported } : {}),
    ...(Object.keys(digests).length > 0 ? { digests } : {}),
    ...others,
  };
  return Object.keys(written).length > 0 ? written : null;
}
