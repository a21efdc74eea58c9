import { isOwnImage } from "../update/applied-image.ts";
import { isHeldElsewhere, releaseChange } from "../update/claim.ts";
import { isProposed } from "../git/git-claim.ts";
import { supersedesParked } from "../update/supersede-parked.ts";
import { restorePreviousDigests } from "../digest/record.ts";
import { tagOf } from "../../image/reference.ts";
import { isPushed } from "../decision/preconditions.ts";
import { pushRefusal } from "./request.ts";
import { imageOfTarget, type Target } from "../target/target.ts";
import type { Change } from "../update/change.ts";
import type { InFlight } from "../update/in-flight.ts";
import type { Workload } from "../workload.ts";

/**
 * Returns the update in flight that ends because a person pushed this target, or because it is newer and that one is parked; null if there is
 * none, or if it is the own one.
 */
export function supersededUpdate(workload: Workload, target: Target, execution: string): InFlight | null {
  const { inFlight } = workload;
  if (inFlight === null || inFlight.execution === execution || isHeldElsewhere(workload)) return null;
  const isAllowed = isPushed(workload, target) && pushRefusal(workload, tagOf(target.image)) === null;
  // Only its own execution knows whether its pull request is merged.
  const isNewer = !isProposed(inFlight) && supersedesParked(workload, inFlight, target);
  return isAllowed || isNewer ? inFlight : null;
}

/**
 * Returns the change that ends an update because a person pushed another version, or because it is parked and a newer one exists: what it
 * changed is reverted, and its version is neither counted nor blamed. Only a person's push holds it.
 */
export function supersedingChange(workload: Workload, inFlight: InFlight): Change {
  const { previousImage, phase } = inFlight;
  const isTarget = workload.image !== null && isOwnImage(workload.image, inFlight);
  const isDeployed = phase === "rollout" || phase === "restart";
  const isImageMoved = isTarget && phase !== "restart";
  const image = isImageMoved ? previousImage : workload.image;
  const { updateRecord, ...released } = releaseChange(workload, inFlight);
  const isHeld = inFlight.parked === undefined || workload.request?.verb === "push";
  return {
    ...released,
    ...(isHeld && updateRecord !== undefined ? { updateRecord } : {}),
    ...(isImageMoved ? { image } : {}),
    ...answerRestored(workload, inFlight, image),
    ...(isDeployed ? restorePreviousDigests(workload, inFlight) : {}),
    canary: null,
    verdict: null,
    analysis: null,
  };
}

/** Answers a push of the version that is back in place: there is nothing more to apply. */
function answerRestored({ request }: Workload, { target }: InFlight, image: string | null): Pick<Change, "answer"> {
  if (request === null || image === null || tagOf(image) !== request.argument) return {};
  const { token, verb, argument } = request;
  return { answer: { token, verb, result: `${argument} stays, instead of ${imageOfTarget(target)}` } };
}

/** Returns the workload as before an update that a person superseded: the pods that it broke do not excuse those of the next one. */
export function withPodsBefore(workload: Workload, { unavailableBefore = 0 }: InFlight): Workload {
  const { rollout } = workload;
  if (rollout === null || rollout.podsPer === "job") return workload;
  const { desiredReplicas, generation } = rollout;
  const before = { oldReplicas: 0, readyReplicas: desiredReplicas - unavailableBefore, observedGeneration: generation };
  return { ...workload, rollout: { ...rollout, ...before } };
}
