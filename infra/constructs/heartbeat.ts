import type { PollConfig } from "../config/schema.ts";
import { longestGapSeconds } from "../config/schedule-gaps.ts";

const minute = 60;
const hour = 3600;
const day = 86_400;

/** The time without a poll that raises an alarm, as periods of CloudWatch. */
export interface Heartbeat {
  readonly periodSeconds: number;
  readonly periods: number;
}

/**
 * Computes the heartbeat: one interval and two more, the two at most an hour, so that one lost invocation of a short
 * schedule raises no alarm. null if it exceeds a week, the maximum of CloudWatch.
 */
export function computeHeartbeat({ expression, timeZone, enabled }: PollConfig): Heartbeat | null {
  const gapSeconds = longestGapSeconds(expression, timeZone);
  if (!enabled || gapSeconds === null) return null;
  const silenceSeconds = gapSeconds + Math.min(2 * gapSeconds, hour);
  if (silenceSeconds <= day) return { periodSeconds: Math.ceil(silenceSeconds / minute) * minute, periods: 1 };
  const periods = Math.ceil(silenceSeconds / day);
  return periods > 7 ? null : { periodSeconds: day, periods };
}
