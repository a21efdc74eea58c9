import type { PollConfig } from "../config-shape.ts";
import { longestGapSeconds } from "../config/cadence.ts";

const hour = 3600;

/**
 * How long a tick that could not be delivered is worth trying again. Where the next comes within the hour it is the retry;
 * otherwise a tick is tried three times more. Older than one interval it is dead.
 */
export function deliveryOf({ expression, timeZone }: PollConfig): {
  readonly maximumRetryAttempts: number;
  readonly maximumEventAgeInSeconds: number;
} {
  const gapSeconds = longestGapSeconds(expression, timeZone) ?? hour;
  const maximumEventAgeInSeconds = Math.min(Math.max(gapSeconds, 60), hour);
  return { maximumRetryAttempts: gapSeconds < hour ? 0 : 3, maximumEventAgeInSeconds };
}
