import { Cron } from "croner";

const secondsPer: Readonly<Record<string, number>> = { minute: 60, hour: 3600, day: 86_400 };

/** A Monday: a fixed start, so that the same expression always comes to the same gap. */
const from = new Date("2027-01-04T00:00:00Z");
const mostRuns = 5000;

/** The longest time between two runs of a schedule, in seconds; null where it runs less than twice or cannot be foreseen. */
export function longestGapSeconds(expression: string, timeZone: string): number | null {
  const [, value, unit] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  if (value !== undefined && unit !== undefined) return Number(value) * (secondsPer[unit] ?? 0);
  const runs = runsOf(expression.slice("cron(".length, -1), timeZone);
  const gaps = runs.slice(1).map((run, index) => (run.getTime() - (runs[index]?.getTime() ?? 0)) / 1000);
  return gaps.length === 0 ? null : gaps.reduce((one, other) => Math.max(one, other));
}

/** The library's grammar has a seconds field more, and counts Sunday as 1 when asked to. */
function runsOf(fields: string, timezone: string): readonly Date[] {
  try {
    const cron = new Cron(`0 ${fields}`, { timezone, mode: "7-part", alternativeWeekdays: true });
    return cron.nextRuns(mostRuns, from);
  } catch {
    return [];
  }
}
