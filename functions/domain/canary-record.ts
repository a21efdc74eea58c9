import { recordStart } from "./bookkeeping.ts";
import type { CanarySize, Change, InFlight, Workload } from "./workload.ts";

/** The claim of an update that begins with a canary: the rest keeps running what it runs. */
export function recordCanary(
  workload: Workload,
  image: string,
  execution: string,
  size: CanarySize,
  now: Date,
): Change {
  const { image: _whole, inFlight, ...start } = recordStart(workload, image, execution, now);
  return {
    ...start,
    canary: { image, size },
    inFlight: { ...inFlight, phase: "canary" },
    ...(workload.inFlight?.execution === execution ? {} : { analysis: null, verdict: null }),
  };
}

/**
 * The canary was found good: all replicas are to run the target, and the time to become ready starts again. Repeated, it
 * leaves that time as it is, and takes the canary away where that was interrupted.
 */
export function recordPromotion(inFlight: InFlight, now: Date): Change {
  return {
    image: inFlight.targetImage,
    canary: null,
    verdict: null,
    inFlight: inFlight.phase === "rollout" ? inFlight : { ...inFlight, phase: "rollout", startedAt: now },
  };
}
