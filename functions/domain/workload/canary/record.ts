import { recordStart, type UpdateTarget } from "../update-record.ts";
import { recordDigests } from "../digest/record.ts";
import { missingCanaryCondition } from "./health.ts";
import type { Change } from "../change.ts";
import type { CanarySize } from "./canary-size.ts";
import type { InFlight, Workload } from "../workload.ts";

/** Records the claim of an update that starts with a canary; the stable replicas stay unchanged. */
export function recordCanary(
  workload: Workload,
  target: UpdateTarget,
  execution: string,
  size: CanarySize,
  now: Date,
): Change {
  const { image: _image, digests: _digests, inFlight, ...start } = recordStart(workload, target, execution, now);
  return {
    ...start,
    canary: { image: target.image, size },
    inFlight: { ...inFlight, phase: "canary" },
    ...(workload.inFlight?.execution === execution ? {} : { analysis: null, verdict: null }),
  };
}

/** A person may promote a canary that is not ready; the answer says so. */
function answerPromotion({ request, canary }: Workload, { targetImage }: InFlight): Pick<Change, "answer"> {
  if (request?.verb !== "promote") return {};
  const missing = missingCanaryCondition(canary, targetImage);
  const result = `the canary is promoted${missing === null ? "" : `, although it is not ready: ${missing}`}`;
  return { answer: { token: request.token, verb: request.verb, result } };
}

/**
 * Records the promotion of a canary: all replicas run the target, and the health timeout starts again. Repeated, it
 * keeps the start time, and deletes the canary if that was interrupted.
 */
export function recordPromotion(workload: Workload, inFlight: InFlight, now: Date): Change {
  const promoted: InFlight = { ...inFlight, phase: "rollout" };
  return {
    image: inFlight.targetImage,
    canary: null,
    verdict: null,
    ...answerPromotion(workload, inFlight),
    ...recordDigests(workload, promoted, inFlight.phase === "rollout"),
    inFlight: inFlight.phase === "rollout" ? inFlight : { ...promoted, startedAt: now },
  };
}
