import { secondsRun } from "../hand-over.ts";

/**
 * A round leaves at most 23 history events (a Wait and three Choices 2 each, three Tasks 5 each), and 3 more for each call
 * that fails: 300 rounds leave 6,900, or 17,700 where every call fails four times. 25,000 would end the execution.
 */
const mostTicks = 300;

/** A cluster that does not answer is asked about 240 times an hour, in one round: that leaves 720 history events an hour. */
const longestSeconds = 3 * 3600;

/**
 * Whether a fresh execution should go on with a pool, after 300 ticks or 3 hours. `ticks` counts the steps of this execution;
 * a start that is no RFC3339 time is as none.
 */
export function nearsHistoryLimit(ticks: number, executionStartedAt: string, now: Date): boolean {
  return ticks >= mostTicks || secondsRun(executionStartedAt, now) > longestSeconds;
}
