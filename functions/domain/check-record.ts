import { seedCurrentVersion } from "./bookkeeping.ts";
import { type News, updateAvailable, updateHeld } from "./news.ts";
import type { Decision, HoldReason } from "./poll-decision.ts";
import { replaceTag } from "./image-reference.ts";
import type { Change, Workload } from "./workload.ts";

/** What a poll writes and says about a workload that it does not update; `change` is null where there is nothing to write. */
export interface CheckRecord {
  readonly change: Change | null;
  readonly news: readonly News[];
}

type Hold = Extract<Decision, { kind: "hold" }>;

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
  if (hold.reason === "digest-pinned") return { change: null, news: [] };
  const listed = afterListing.has(hold.reason) && workload.inFlight === null;
  const eventReason = announcedReasons[hold.reason];
  const held = eventReason === undefined ? null : hold.detail;
  const isNews = held !== null && held !== workload.announced.held;
  const change = withoutEmpty({
    ...(workload.inFlight === null || eventReason === undefined ? {} : { inFlight: null }),
    bookkeeping: listed ? bookkeepingOf(workload, hold, now) : {},
    announced: {
      ...(workload.announced.problem === null ? {} : { problem: null }),
      ...(isNews || (listed && held !== workload.announced.held) ? { held } : {}),
    },
  });
  const news = [
    ...(isNewVersion(workload, hold) ? [updateAvailable(workload, hold.version, imageOf(workload, hold.version))] : []),
    ...(isNews ? [updateHeld(eventReason ?? "", hold.detail, hold.version)] : []),
  ];
  return { change, news };
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

function isNewVersion(workload: Workload, hold: Hold): hold is Hold & { version: string } {
  return hold.version !== null && hold.version !== workload.bookkeeping.availableVersion;
}

function imageOf(workload: Workload, version: string): string {
  return replaceTag(workload.source ?? "", version);
}

function withoutEmpty(change: Required<Pick<Change, "bookkeeping" | "announced">> & Change): Change | null {
  const { bookkeeping, announced, ...rest } = change;
  const written = {
    ...rest,
    ...(Object.keys(bookkeeping).length > 0 ? { bookkeeping } : {}),
    ...(Object.keys(announced).length > 0 ? { announced } : {}),
  };
  return Object.keys(written).length > 0 ? written : null;
}
