import type { CfnSchedule } from "aws-cdk-lib/aws-scheduler";
import type { PollConfig } from "../config-shape.ts";
import { shortestGapSeconds } from "../config/cadence.ts";

const mostMinutes = 5;

/**
 * Within how many minutes of its time a tick comes: a fifth of the shortest interval, so that the polls of many clusters do
 * not all begin on the minute and no two ticks of one cluster meet. 0 is on the minute.
 */
export function spreadMinutes({ expression }: Pick<PollConfig, "expression">): number {
  const gapSeconds = shortestGapSeconds(expression);
  return gapSeconds === null ? mostMinutes : Math.min(mostMinutes, Math.floor(gapSeconds / 5 / 60));
}

/** EventBridge Scheduler chooses the moment within the window, anew for each tick. */
export function windowOf(poll: PollConfig): CfnSchedule.FlexibleTimeWindowProperty {
  const maximumWindowInMinutes = spreadMinutes(poll);
  return maximumWindowInMinutes === 0 ? { mode: "OFF" } : { mode: "FLEXIBLE", maximumWindowInMinutes };
}
