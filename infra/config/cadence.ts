import { Cron } from "croner";

const hour = 3600;
const secondsPer: Readonly<Record<string, number>> = { minute: 60, hour, day: 24 * hour };

/** A Monday: a fixed start, so that the same expression always comes to the same gap. */
const from = new Date("2027-01-04T00:00:00Z");

/** A week of a minute's cadence in office hours, in which its pattern shows. */
const mostRuns = 3000;

/**
 * The longest time between two runs of a schedule, in seconds; null where it runs less than twice. A night in which a
 * zone's clocks go back is an hour longer: what runs every few minutes is not held to that.
 */
export function longestGapSeconds(expression: string, timeZone: string): number | null {
  const gaps = gapsOf(expression);
  if (gaps.length === 0) return null;
  const longest = gaps.reduce((one, other) => Math.max(one, other));
  return timeZone === "UTC" || longest < hour || expression.startsWith("rate(") ? longest : longest + hour;
}

/** The shortest time between two runs of a schedule, in seconds; null where it runs less than twice. */
export function shortestGapSeconds(expression: string): number | null {
  const gaps = gapsOf(expression);
  return gaps.length === 0 ? null : gaps.reduce((one, other) => Math.min(one, other));
}

function gapsOf(expression: string): readonly number[] {
  const [, value, unit] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  if (value !== undefined && unit !== undefined) return [Number(value) * (secondsPer[unit] ?? 0)];
  const runs = runsOf(expression.slice("cron(".length, -1));
  return runs.slice(1).map((run, index) => (run.getTime() - (runs[index]?.getTime() ?? 0)) / 1000);
}

const known = new Map<string, readonly Date[]>();

/** In UTC, which is quick, and once for each. The library's grammar has a seconds field more; Sunday as 1 and `0/15` are asked for. */
function runsOf(fields: string): readonly Date[] {
  const found = known.get(fields) ?? foreseen(fields);
  known.set(fields, found);
  return found;
}

function foreseen(fields: string): readonly Date[] {
  try {
    const quartz = { mode: "7-part", alternativeWeekdays: true, sloppyRanges: true } as const;
    return new Cron(`0 ${fields}`, { timezone: "UTC", ...quartz }).nextRuns(mostRuns, from);
  } catch {
    return [];
  }
}
