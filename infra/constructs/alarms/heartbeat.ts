import type { PollConfig } from "../../config/schema.ts";
import { longestGapSeconds, shortestGapSeconds } from "../../config/schedule/schedule-gaps.ts";
import { weeklyHours } from "../../config/schedule/weekly-hours.ts";

const minute = 60;
const hour = 3600;
const day = 86_400;

/** The time without a poll that raises an alarm, as periods of CloudWatch. */
export interface Heartbeat {
  readonly periodSeconds: number;
  readonly periods: number;
  /** The hours of a week in UTC that count, from Monday; null counts all. */
  readonly hours: ReadonlySet<number> | null;
}

/**
 * Computes the heartbeat: one interval and two more, the two at least twice the timeout of a poll and at most an hour, so that one lost invocation of a short
 * schedule raises no alarm. A schedule that pauses, such as at night, is watched in its hours. null if it exceeds a week, the maximum
 * of CloudWatch. A poll is a heartbeat at its end, and others are skipped meanwhile.
 */
export function computeHeartbeat(poll: PollConfig & { readonly timeout: number }): Heartbeat | null {
  const { expression, timeZone, enabled } = poll;
  const gapSeconds = longestGapSeconds(expression, timeZone);
  if (!enabled || gapSeconds === null) return null;
  const inHours = heartbeatInHours(poll, gapSeconds);
  if (inHours !== null) return inHours;
  const silenceSeconds = gapSeconds + Math.max(2 * poll.timeout, Math.min(2 * gapSeconds, hour));
  if (silenceSeconds <= day)
    return { periodSeconds: Math.ceil(silenceSeconds / minute) * minute, periods: 1, hours: null };
  const periods = Math.ceil(silenceSeconds / day);
  return periods > 7 ? null : { periodSeconds: day, periods, hours: null };
}

/** Two hours without a poll raise an alarm, or one if it has several polls: again, one lost invocation raises none. */
function heartbeatInHours({ expression, timeZone }: PollConfig, longestSeconds: number): Heartbeat | null {
  const shortestSeconds = shortestGapSeconds(expression) ?? longestSeconds;
  if (shortestSeconds > hour || longestSeconds < 3 * hour) return null;
  const weekly = weeklyHours(expression, timeZone);
  if (weekly === null) return null;
  return { periodSeconds: hour, periods: weekly.runsPerHour > 1 ? 1 : 2, hours: weekly.hours };
}

/**
 * Returns an expression of CloudWatch that is 1 outside these hours, and the number of polls in them. `DAY` is 1 on Monday; both functions
 * use UTC.
 */
export function pollsInHours(hours: ReadonlySet<number>): string {
  const days = Array.from({ length: 7 }, (_, index) => hoursOfDay(hours, index));
  const distinct = [...new Set(days)].filter((condition) => condition !== "");
  const terms = distinct.map((condition) => {
    const numbers = days.flatMap((one, index) => (one === condition ? [index + 1] : []));
    return `((${formatRanges("DAY", numbers)}) AND (${condition}))`;
  });
  return `IF(${terms.join(" OR ")}, FILL(polls, 0), 1)`;
}

function hoursOfDay(hours: ReadonlySet<number>, index: number): string {
  return formatRanges(
    "HOUR",
    Array.from({ length: 24 }, (_, hourOfDay) => hourOfDay).filter((one) => hours.has(index * 24 + one)),
  );
}

/** Returns the condition that a function of time is one of these numbers, by their ranges. */
function formatRanges(name: "DAY" | "HOUR", numbers: readonly number[]): string {
  const starts = numbers.filter((one) => !numbers.includes(one - 1));
  const ends = numbers.filter((one) => !numbers.includes(one + 1));
  const value = `${name}(TIME_SERIES(1))`;
  return starts.map((from, index) => `((${value} >= ${from}) AND (${value} <= ${ends[index]}))`).join(" OR ");
}
