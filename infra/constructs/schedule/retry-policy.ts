import type { PollConfig } from "../../config/schema.ts";
import { longestGapSeconds } from "../../config/schedule/schedule-gaps.ts";

const hour = 3600;

/**
 * Returns the retries of an invocation that could not be delivered. If the next one is due within the hour, there are
 * none; otherwise three. No invocation is retried for longer than one interval.
 */
export function retryPolicy({ expression, timeZone }: PollConfig): {
  readonly maximumRetryAttempts: number;
  readonly maximumEventAgeInSeconds: number;
} {
  const gapSeconds = longestGapSeconds(expression, timeZone) ?? hour;
  const maximumEventAgeInSeconds = Math.min(Math.max(gapSeconds, 60), hour);
  return { maximumRetryAttempts: gapSeconds < hour ? 0 : 3, maximumEventAgeInSeconds };
}
