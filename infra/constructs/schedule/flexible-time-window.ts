import type { CfnSchedule } from "aws-cdk-lib/aws-scheduler";
import type { PollConfig } from "../../config/schema.ts";
import { shortestGapSeconds } from "../../config/schedule/schedule-gaps.ts";

const maxMinutes = 5;

/**
 * Computes the jitter of a schedule: a fifth of the shortest interval, so that the polls of many clusters do not start at
 * the same time, and those of one cluster do not overlap. 0 is no jitter.
 */
export function jitterMinutes({ expression }: Pick<PollConfig, "expression">): number {
  const gapSeconds = shortestGapSeconds(expression);
  return gapSeconds === null ? maxMinutes : Math.min(maxMinutes, Math.floor(gapSeconds / 5 / 60));
}

/** Returns the window within which EventBridge Scheduler chooses a time for each invocation. */
export function flexibleTimeWindow(poll: PollConfig): CfnSchedule.FlexibleTimeWindowProperty {
  const maximumWindowInMinutes = jitterMinutes(poll);
  return maximumWindowInMinutes === 0 ? { mode: "OFF" } : { mode: "FLEXIBLE", maximumWindowInMinutes };
}
