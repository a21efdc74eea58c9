import { Cron } from "croner";

const hour = 3600;
const secondsPer: Readonly<Record<string, number>> = { minute: 60, hour, day: 24 * hour };

/** A Monday. A fixed start gives the same result for the same expression. */
const start = new Date("2027-01-04T00:00:00Z");

/** Covers a week of runs every minute in office hours. */
const maxRuns = 3000;

/**
 * Returns the longest time between two runs of a schedule, in seconds; null if it runs less than twice. The end of daylight saving
 * time adds an hour, except to gaps shorter than that.
 */
export function longestGapSeconds(expression: string, timeZone: string): number | null {
  const gaps = computeGaps(expression);
  if (gaps.length === 0) return null;
  const longest = gaps.reduce((one, other) => Math.max(one, other));
  return timeZone === "UTC" || longest < hour || expression.startsWith("rate(") ? longest : longest + hour;
}

/** Returns the shortest time between two runs of a schedule, in seconds; null if it runs less than twice. */
export function shortestGapSeconds(expression: string): number | null {
  const gaps = computeGaps(expression);
  return gaps.length === 0 ? null : gaps.reduce((one, other) => Math.min(one, other));
}

function computeGaps(expression: string): readonly number[] {
  const [, value, unit] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  if (value !== undefined && unit !== undefined) return [Number(value) * (secondsPer[unit] ?? 0)];
  const runs = cachedRuns(expression.slice("cron(".length, -1));
  return runs.slice(1).map((run, index) => (run.getTime() - (runs[index]?.getTime() ?? 0)) / 1000);
}

const runsByFields = new Map<string, readonly Date[]>();

/** Computes each schedule once, in UTC, which is fast. */
function cachedRuns(fields: string): readonly Date[] {
  const found = runsByFields.get(fields) ?? computeRuns(fields);
  runsByFields.set(fields, found);
  return found;
}

function computeRuns(fields: string): readonly Date[] {
  try {
    // Croner's grammar has an additional field of seconds; the options allow Sunday as 1 and `0/15`.
    const quartz = { mode: "7-part", alternativeWeekdays: true, sloppyRanges: true } as const;
    return new Cron(`0 ${fields}`, { timezone: "UTC", ...quartz }).nextRuns(maxRuns, start);
  } catch {
    return [];
  }
}
