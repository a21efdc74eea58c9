import { parseRfc3339, secondsBetween } from "../text/rfc3339.ts";

/** Well below 25,000 history events: a round (wait, task, choice) adds nine of them. */
const maxRounds = 1440;
const maxRoundSeconds = 60;

/**
 * Reports whether an execution must continue as a new one: after a day, or earlier if it checks more often than once a
 * minute.
 */
export function needsContinuation(executionStartedAt: string, now: Date, roundSeconds = maxRoundSeconds): boolean {
  return elapsedSeconds(executionStartedAt, now) > maxRounds * Math.min(roundSeconds, maxRoundSeconds);
}

/** Returns the seconds that an execution has run; 0 if its start is not an RFC 3339 time. */
export function elapsedSeconds(executionStartedAt: string, now: Date): number {
  return secondsBetween(parseRfc3339(executionStartedAt) ?? now, now);
}

/**
 * A round adds at most 23 history events (a Wait and three Choices 2 each, three Tasks 5 each), and 3 more for each
 * call that fails: 300 rounds add 6,900, or 17,700 if every call fails four times. 25,000 would end the execution.
 */
const maxPoolRounds = 300;

/** An unreachable cluster is retried about 240 times an hour, in one round: that adds 720 history events an hour. */
const maxPoolSeconds = 3 * 3600;

/**
 * Reports whether the rollout of a pool must continue as a new execution, after 300 rounds or 3 hours. `rounds` counts
 * the steps of this execution; a malformed start time counts as none.
 */
export function poolNeedsContinuation(rounds: number, executionStartedAt: string, now: Date): boolean {
  return rounds >= maxPoolRounds || elapsedSeconds(executionStartedAt, now) > maxPoolSeconds;
}
