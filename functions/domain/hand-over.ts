import { parseRfc3339, secondsBetween } from "./time.ts";

/** Long before 25,000 history events: a round (wait, task, choice) leaves nine of them. */
const mostRounds = 1440;
const longestRoundSeconds = 60;

/**
 * Whether an execution has run so long that a fresh one should go on: a day, or less where it looks more often than once a
 * minute. An RFC3339 time that cannot be read is none.
 */
export function isOverdue(executionStartedAt: string, now: Date, roundSeconds = longestRoundSeconds): boolean {
  const startedAt = parseRfc3339(executionStartedAt) ?? now;
  return secondsBetween(startedAt, now) > mostRounds * Math.min(roundSeconds, longestRoundSeconds);
}
