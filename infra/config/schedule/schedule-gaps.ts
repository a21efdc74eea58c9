import { createCron, rateSeconds } from "./schedule-runs.ts";

const hour = 3600;

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
  const seconds = rateSeconds(expression);
  if (seconds !== null) return [seconds];
  const runs = cachedRuns(expression);
  return runs.slice(1).map((run, index) => (run.getTime() - (runs[index]?.getTime() ?? 0)) / 1000);
}

const runsByExpression = new Map<string, readonly Date[]>();

/** Computes each schedule once, in UTC, which is fast. */
function cachedRuns(expression: string): readonly Date[] {
  const found = runsByExpression.get(expression) ?? createCron(expression, "UTC")?.nextRuns(maxRuns, start) ?? [];
  runsByExpression.set(expression, found);
  return found;
}
