import { seedCurrentVersion } from "./bookkeeping.ts";
import { type News, updateAvailable, updateHeld } from "./news.ts";
import type { Decision, Hold, HoldReason } from "./decision.ts";
import { tagOf } from "./image-reference.ts";
import { parseVersion } from "./version.ts";
import type { Change, InFlight, Workload } from "./workload.ts";

/** What a poll writes and says about a workload that it does not update; `change` is null where there is nothing to write. */
export interface CheckRecord {
  readonly change: Change | null;
  readonly news: readonly News[];
}

/** Reasons that an owner should hear of, with the reason of their Event; the others are how things should be. */
const announcedReasons: Partial<Record<HoldReason, string>> = {
  "circuit-open": "AutoUpdateCircuitOpen",
  "changed-by-hand": "AutoUpdateHeld",
  "unknown-version": "AutoUpdateHeld",
};

/** Reasons that are known only after the tags were listed: what was announced before no longer holds, unless it is said again. */
const afterListing: ReadonlySet<HoldReason> = new Set([
  "no-newer-version",
  "circuit-open",
  "changed-by-hand",
  "unknown-version",
  "same-digest",
  "returning-digest",
]);

/** The standing announcements stand on the object, so what has been said already is neither written nor said again. */
export function recordCheck(
  workload: Workload,
  decision: Hold | Extract<Decision, { kind: "problem" }>,
  now: Date,
): CheckRecord {
  return decision.kind === "problem" ? recordProblem(workload, decision.problems) : recordHold(workload, decision, now);
}

function recordProblem(workload: Workload, problems: readonly string[]): CheckRecord {
  const problem = problems.join("; ");
  if (workload.announced.problem === problem) return { change: null, news: [] };
  return { change: { announced: { problem } }, news: [updateHeld("AutoUpdateProblem", problem, null)] };
}

function recordHold(workload: Workload, hold: Hold, now: Date): CheckRecord {
  const { inFlight, announced } = workload;
  if (hold.reason === "digest-pinned") return { change: null, news: [] };
  // Whatever is written to it takes the finalizer away with it.
  if (hold.reason === "being-deleted") return { change: { announced: {} }, news: [] };
  if (hold.reason === "changed-by-hand" && inFlight !== null) return recordOvertaken(workload, inFlight, hold);
  const listed = afterListing.has(hold.reason);
  const eventReason = announcedReasons[hold.reason];
  const held = eventReason === undefined ? null : hold.detail;
  const news =
    eventReason === undefined || held === announced.held ? [] : [updateHeld(eventReason, hold.detail, hold.version)];
  const change = withoutEmpty({
    bookkeeping: listed ? bookkeepingOf(workload, hold, now) : {},
    announced: {
      ...(announced.problem === null ? {} : { problem: null }),
      ...(listed && held !== announced.held ? { held } : {}),
    },
    digests: noted(hold, now),
  });
  return {
    change,
    news: isNewVersion(workload, hold) ? [updateAvailable(workload, hold.version, hold.image), ...news] : news,
  };
}

/**
 * A person has changed the image in mid-flight: the marks go and the image stays. What the person moved away from counts
 * as the current version from here on, so that only something newer than it is applied; where its owner names each image,
 * nothing is compared.
 */
function recordOvertaken({ wanted }: Workload, { targetImage, phase }: InFlight, { detail }: Hold): CheckRecord {
  const version = tagOf(targetImage);
  const isCompared = wanted === null && phase !== "restart";
  const change: Change = {
    inFlight: null,
    ...(phase === "canary" ? { canary: null } : {}),
    announced: { held: detail },
    ...(!isCompared || parseVersion(version) === null ? {} : { bookkeeping: { currentVersion: version } }),
  };
  return { change, news: [updateHeld("AutoUpdateHeld", detail, version)] };
}

/** A last check is written where a schedule counts from it, and beside whatever else is written. */
function bookkeepingOf(workload: Workload, hold: Hold, now: Date) {
  const learned = {
    ...seedCurrentVersion(workload),
    ...(isNewVersion(workload, hold) ? { availableVersion: hold.version } : {}),
  };
  const isWorthWriting = workload.policy.schedule !== null || Object.keys(learned).length > 0;
  return isWorthWriting ? { ...learned, lastCheck: now } : {};
}

function isNewVersion(workload: Workload, hold: Hold): hold is Hold & { version: string; image: string } {
  return hold.image !== null && hold.version !== workload.bookkeeping.availableVersion;
}

/** A tag that shows a former digest has done so from now on. */
function noted({ digests = {} }: Hold, now: Date): NonNullable<Change["digests"]> {
  const { returning, ...rest } = digests;
  if (returning === undefined) return rest;
  return { ...rest, returning: returning === null ? null : { since: now, digests: returning } };
}

type Parts = Required<Pick<Change, "bookkeeping" | "announced" | "digests">>;

function withoutEmpty({ bookkeeping, announced, digests }: Parts): Change | null {
  const written = {
    ...(Object.keys(bookkeeping).length > 0 ? { bookkeeping } : {}),
    ...(Object.keys(announced).length > 0 ? { announced } : {}),
    ...(Object.keys(digests).length > 0 ? { digests } : {}),
  };
  return Object.keys(written).length > 0 ? written : null;
}
