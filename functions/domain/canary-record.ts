import { recordStart, type Target } from "./bookkeeping.ts";
import { digestsAtStart } from "./digest-record.ts";
import type { CanarySize, Change, InFlight, Workload } from "./workload.ts";

/** The claim of an update that begins with a canary: the rest keeps running what it runs. */
export function recordCanary(
  workload: Workload,
  target: Target,
  execution: string,
  size: CanarySize,
  now: Date,
): Change {
  const { image: _whole, digests: _later, inFlight, ...start } = recordStart(workload, target, execution, now);
  return {
    ...start,
    canary: { image: target.image, size },
    inFlight: { ...inFlight, phase: "canary" },
    ...(workload.inFlight?.execution === execution ? {} : { analysis: null, verdict: null }),
  };
}

/**
 * The canary was found good: all replicas are to run the target, and the time to become ready starts again. Repeated, it
 * leaves that time as it is, and takes the canary away where that was interrupted.
 */
export function recordPromotion(workload: Workload, inFlight: InFlight, now: Date): Change {
  const promoted: InFlight = { ...inFlight, phase: "rollout" };
  return {
    image: inFlight.targetImage,
    canary: null,
    verdict: null,
    ...digestsAtStart(workload, promoted, inFlight.phase === "rollout"),
    inFlight: inFlight.phase === "rollout" ? inFlight : { ...promoted, startedAt: now },
  };
}
