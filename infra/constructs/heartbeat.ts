import type { PollConfig } from "../config-shape.ts";
import { longestGapSeconds } from "../config/cadence.ts";

const minute = 60;
const hour = 3600;
const day = 86_400;

/** The silence after which a poll counts as missing, as CloudWatch wants it written. */
export interface Heartbeat {
  readonly periodSeconds: number;
  readonly periods: number;
}

/**
 * One interval and two more, the two never above an hour: a single tick that is lost alarms nobody about a short schedule.
 * null where CloudWatch, which looks back no further than a week, could not tell.
 */
export function heartbeatOf({ expression, timeZone, enabled }: PollConfig): Heartbeat | null {
  const gapSeconds = longestGapSeconds(expression, timeZone);
  if (!enabled || gapSeconds === null) return null;
  const silenceSeconds = gapSeconds + Math.min(2 * gapSeconds, hour);
  if (silenceSeconds <= day) return { periodSeconds: Math.ceil(silenceSeconds / minute) * minute, periods: 1 };
  const periods = Math.ceil(silenceSeconds / day);
  return periods > 7 ? null : { periodSeconds: day, periods };
}
