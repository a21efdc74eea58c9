import { parseRfc3339, secondsBetween } from "./time.ts";

/** Long before 25,000 history events: a round (wait, task, choice) leaves nine of them. */
const mostRounds = 1440;
const longestRoundSeconds = 60;

/**
 * Whether an execution has run so long that a fresh one should go on: a day, or less where it looks more often than once a
 * minute.
 */
export function isOverdue(executionStartedAt: string, now: Date, roundSeconds = longestRoundSeconds): boolean {
  return secondsRun(executionStartedAt, now) > mostRounds * Math.min(roundSeconds, longestRoundSeconds);
}

/** How long an execution has run; 0 where the RFC3339 time of its start cannot be read. */
export function secondsRun(executionStartedAt: string, now: Date): number {
  return secondsBetween(parseRfc3339(executionStartedAt) ?? now, now);
}
