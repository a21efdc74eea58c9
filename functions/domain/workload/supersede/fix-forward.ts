import { runsFor } from "../hook/hook.ts";
import { type Evidence, withEvidence } from "../../health/evidence.ts";
import { tagOf } from "../../image/reference.ts";
import { higherVersion } from "../../version/compare-tags.ts";
import { versioningOf } from "../policy/versioning.ts";
import { currentSize, sizesOf, stepsOf } from "../canary/progress.ts";
import { describeSize } from "../canary/size.ts";
import { strategyOf } from "../canary/canary.ts";
import { restorePreviousDigests } from "../digest/record.ts";
import { hasOwnClaim } from "../record/current-version.ts";
import { wasPushed } from "../record/update-record.ts";
import { appendHistory, createHistoryEntry } from "../record/history.ts";
import type { Started } from "../record/update-record.ts";
import { versionOfTarget } from "../target/target.ts";
import { isHeldElsewhere } from "../update/claim.ts";
import { countAttempt } from "../update/count-failure.ts";
import type { CanaryUpdate, RolloutUpdate } from "../update/in-flight.ts";
import type { Workload } from "../workload.ts";

/** An update to another image, of which a newer one may take the place. */
export type SupersedableUpdate = CanaryUpdate | RolloutUpdate;

/**
 * Returns the update in flight if a newer version may take its place; null if it has to end first. A person's pause and
 * verdict are answered, what a rollback or a release restores has to become ready, and a hook runs before the previous version is replaced.
 */
export function supersedableUpdate(workload: Workload): SupersedableUpdate | null {
  const { inFlight, policy, record, verdict, canaryProgress } = workload;
  if (inFlight === null || inFlight.execution === null || inFlight.isApplied === false) return null;
  // Each commit is followed to its end.
  if (inFlight.git !== undefined) return null;
  if (isHeldElsewhere(workload) || hasOwnClaim(record) || verdict !== null) return null;
  if (runsFor(policy.hooks.pre, inFlight.target) || inFlight.previousImage === null) return null;
  if (canaryProgress?.waitsFor === "Promotion") return null;
  const isCanary = inFlight.phase === "canary";
  if (!isCanary && (inFlight.phase !== "rollout" || workload.canary !== null)) return null;
  return isCanary === (strategyOf(policy) === "canary") ? inFlight : null;
}

/**
 * Reports whether a newer version takes the place of an update although its pods do not fail: of a canary that nobody pushed. A StatefulSet's has
 * to have its first size, because the pods that it has updated since would keep its version.
 */
export function yieldsToNewer(workload: Workload, { phase, target }: SupersedableUpdate): boolean {
  const { policy, canary, canaryProgress } = workload;
  if (phase !== "canary" || policy.onNewVersion === "wait" || wasPushed(workload, target)) return false;
  if (canary?.partition === undefined) return true;
  const size = currentSize({ policy, canaryProgress });
  const [first] = sizesOf(stepsOf(policy));
  return size !== null && first !== undefined && describeSize(size) === describeSize(first);
}

/**
 * Returns the workload as it would be if an update in flight had been reverted, and counted if its pods fail. Only a version that is newer than its
 * target may follow it, and none if that opens the circuit.
 */
export function withoutUpdate(workload: Workload, inFlight: SupersedableUpdate, isFailing: boolean): Workload {
  const { updateRecord, rollout } = workload;
  const { previousImage, target, unavailableBefore = 0 } = inFlight;
  // Those of a canary are recorded at its promotion.
  const { digests } = inFlight.phase === "canary" ? {} : restorePreviousDigests(workload, inFlight);
  const before = rollout && {
    ...rollout,
    image: previousImage,
    oldReplicas: 0,
    readyReplicas: rollout.desiredReplicas - unavailableBefore,
    observedGeneration: rollout.generation,
  };
  return {
    ...workload,
    inFlight: null,
    image: previousImage,
    rollout: before,
    canary: null,
    canaryProgress: null,
    analysis: null,
    ...(workload.digests === null || digests === undefined
      ? {}
      : { digests: { ...workload.digests, deployed: digests.deployed ?? {} } }),
    updateRecord: {
      ...updateRecord,
      ...countAttempt(workload, isFailing ? 1 : 0),
      minimumVersion: higherVersion(updateRecord.minimumVersion, tagOf(target.image), versioningOf(workload.policy)),
    },
  };
}

/**
 * Returns the claim of a newer update that takes the place of an older one, in one change: that is recorded with the evidence of pods that fail, and
 * counted if there are any. The image to restore and the pods that were unavailable before stay those of the version that was healthy last.
 */
export function supersede(
  workload: Workload,
  superseded: SupersedableUpdate,
  { inFlight, updateRecord, ...started }: Started,
  failing: readonly Evidence[],
  now: Date,
): Started {
  const replicas = superseded.phase === "canary" ? workload.canary : workload.rollout;
  const total = replicas?.desiredReplicas;
  const reason = withEvidence(`superseded by ${versionOfTarget(inFlight.target)}`, failing, { total });
  const { unavailableBefore } = superseded;
  const { unavailableBefore: _observed, ...claim } = inFlight;
  const entry = createHistoryEntry(superseded, "Superseded", now, reason);
  return {
    ...started,
    inFlight: {
      ...claim,
      ...(unavailableBefore === undefined ? {} : { unavailableBefore }),
      replacedImage: superseded.appliedImage ?? superseded.target.image,
    },
    updateRecord: {
      ...updateRecord,
      ...countAttempt(workload, failing.length > 0 ? 1 : 0),
      versionHistory: appendHistory(workload.updateRecord, entry),
    },
  };
}
