import { truncate } from "../text/summarize-list.ts";
import type { BackOff, Workload } from "./workload.ts";

const maxDelayMinutes = 60;

/** In characters: the message of a webhook has no limit. */
const maxMessageLength = 1024;

/**
 * Returns the back-off after one more attempt that changed nothing for good: 1 minute after the first attempt for a
 * target, doubled each time, up to 60 minutes.
 */
export function nextBackOff(
  { backOff }: Pick<Workload, "backOff">,
  targetImage: string,
  reason: BackOff["reason"],
  message: string,
  now: Date,
): BackOff {
  const attempts = backOff?.targetImage === targetImage ? backOff.attempts + 1 : 1;
  const delayMinutes = Math.min(2 ** (attempts - 1), maxDelayMinutes);
  const until = new Date(now.getTime() + delayMinutes * 60_000);
  return { reason, message: truncate(message, maxMessageLength), targetImage, attempts, until };
}
