import { annotations } from "../../../../domain/workload/policy/annotations.ts";
import type { Change } from "../../../../domain/workload/update/change.ts";
import { isPaused } from "../../../../domain/workload/canary/progress.ts";
import type { InFlight } from "../../../../domain/workload/update/in-flight.ts";
import {
  type AnnotationPatch,
  inFlightPatch,
  clearInFlightPatch,
  pausedPatch,
  readInFlight,
} from "../../annotation-codec.ts";
import type { KubernetesApi } from "../../api.ts";
import { fromCanaryStatus } from "../../auto-update/status/canary-status.ts";
import type { Canary } from "../canary/canary-strategy.ts";
import { finalizer, isBeingDeleted, resource, type StatefulCanary } from "./object.ts";
import {
  promoteStable,
  deleteCanary,
  scaleCanaryDown,
  clearPreviousTemplate,
  startSets,
  restoreStable,
} from "./sets.ts";
import {
  analyzingStatus,
  bakingStatus,
  revertedStatus,
  initializingStatus,
  invalidStatus,
  pausedStatus,
  supersededStatus,
  type CanaryProgressStatus,
  progressingStatus,
  promotingStatus,
  succeededStatus,
  writeHook,
  writeCanaryStatus,
} from "./status.ts";

/**
 * Annotations, status and the two sets are separate writes. An interrupted step can be retried: the claim is written before
 * anything is created, and its annotations are removed last.
 */
export async function writeStatefulCanary(
  object: StatefulCanary,
  change: Change,
  api: KubernetesApi,
  now: Date,
): Promise<void> {
  const before = readInFlight(object.metadata.annotations ?? {}, annotations);
  const { inFlight } = change;
  if (inFlight === undefined && change.canary) return continueCanary(object, change, change.canary, api, now);
  if (inFlight === undefined) return recordObservation(object, change, before, api, now);
  if (inFlight === null) return finish(object, change, before, api, now);
  if (inFlight.phase === "rollback") return rollBack(object, change, inFlight, api, now);
  if (inFlight.phase === "rollout") return promote(object, change, before, inFlight, api, now);
  return startCanary(object, change, inFlight, api, now);
}

async function recordObservation(
  object: StatefulCanary,
  change: Change,
  before: InFlight | null,
  api: KubernetesApi,
  now: Date,
) {
  const noted = await writeMetadata(object, change, api);
  await writeCanaryStatus(noted, progressOf(object, change, before), change, api, now);
}

function progressOf(
  object: StatefulCanary,
  { analysis, lastReported, observation, canaryProgress }: Change,
  before: InFlight | null,
): CanaryProgressStatus {
  if (observation?.kind === "baking") return bakingStatus(analysis ?? null);
  const step = canaryProgress ?? fromCanaryStatus(object.status?.canary);
  const isCanary = before?.phase === "canary";
  const isNoted = isCanary && (analysis || canaryProgress);
  if (isNoted && step !== null && isPaused(step)) return pausedStatus(step, analysis ?? null);
  if (analysis && isCanary) return analyzingStatus(analysis);
  return lastReported?.problem ? invalidStatus(object, lastReported.problem) : {};
}

/** Writes the claim first. A canary that is adopted from another execution is not changed. */
async function startCanary(object: StatefulCanary, change: Change, inFlight: InFlight, api: KubernetesApi, now: Date) {
  const claimed = await writeMetadata(object, change, api);
  if (isBeingDeleted(object)) return;
  if (!change.canary) return writeHook(claimed, inFlight, api, now);
  const canary = { ...change.canary, image: inFlight.target.image };
  const initialized = await writeCanaryStatus(claimed, initializingStatus(claimed, canary.image), change, api, now);
  const counts = await startSets(initialized, canary, api);
  await writeCanaryStatus(initialized, progressingStatus(canary, counts), {}, api, now);
}

/** Brings the sets to the next step before that is recorded, so that an interrupted step is repeated. */
async function continueCanary(object: StatefulCanary, change: Change, canary: Canary, api: KubernetesApi, now: Date) {
  if (isBeingDeleted(object)) return;
  const counts = await startSets(object, canary, api, !canary.isRestart);
  const { canaryProgress } = change;
  const progress = canaryProgress ? progressingStatus(canary, counts, canaryProgress) : counts;
  await writeCanaryStatus(object, progress, change, api, now);
}

/**
 * If this execution holds the claim, updates the set before the annotations, so that an interrupted promotion is repeated.
 * Otherwise (without a canary, or for an adopted one) writes the claim first.
 */
async function promote(
  object: StatefulCanary,
  change: Change,
  before: InFlight | null,
  { execution, target: { image } }: InFlight,
  api: KubernetesApi,
  now: Date,
) {
  const isHeld = before?.execution === execution;
  const { answer, ...promotion } = change;
  if (isHeld && !isBeingDeleted(object)) await promoteStable(object, image, api);
  const noted = await noteVerdict(object, "promote", change, api);
  const answered = await writeCanaryStatus(noted, {}, answer === undefined ? {} : { answer }, api, now);
  const claimed = await writeMetadata(answered, promotion, api);
  if (isBeingDeleted(object)) return;
  if (!isHeld) await promoteStable(object, image, api);
  await writeCanaryStatus(claimed, promotingStatus(claimed, image, before !== null), promotion, api, now);
}

/**
 * Records the verdict that a person requests, before that is answered. It is answered before the claim says that the canary is over:
 * later a poll would refuse it.
 */
async function noteVerdict(
  object: StatefulCanary,
  verdict: "promote" | "abort",
  { answer }: Change,
  api: KubernetesApi,
): Promise<StatefulCanary> {
  return answer === undefined ? object : writeMetadata(object, { verdict }, api);
}

/**
 * Records the failure before anything is reverted. The canary keeps running until the stable set is complete, unless the object is
 * being deleted.
 */
async function rollBack(object: StatefulCanary, change: Change, inFlight: InFlight, api: KubernetesApi, now: Date) {
  const failure = isBeingDeleted(object) ? withoutWait(change, inFlight) : change;
  const noted = await noteVerdict(object, "abort", change, api);
  const updated = await writeCanaryStatus(
    noted,
    revertedStatus(object, inFlight.target.image, change),
    failure,
    api,
    now,
  );
  // An older CRD drops the suspicion: nothing ends it, so that the image must not be tried again.
  const isDropped = inFlight.suspect !== undefined && updated.status?.suspect === undefined;
  const { suspect: _, ...unsuspected } = inFlight;
  const failed = isDropped
    ? await writeCanaryStatus(
        updated,
        revertedStatus(object, inFlight.target.image, { ...change, inFlight: unsuspected }),
        {},
        api,
        now,
      )
    : updated;
  await writeMetadata(failed, failure, api);
  // Nothing may be restored if no image is, and none is known.
  const isKept = change.image === undefined && inFlight.previousImage === null;
  if (!isBeingDeleted(object)) await restoreStable(object, api, isKept);
}

/** Returns the change without the time from which the restored pods are waited for. */
function withoutWait(change: Change, { revertedAt: _revertedAt, ...inFlight }: InFlight): Change {
  return { ...change, inFlight };
}

/** Removes annotations and finalizer last. If another image is requested, keeps the sets for the next update. */
async function finish(object: StatefulCanary, change: Change, before: InFlight | null, api: KubernetesApi, now: Date) {
  const isSuccess = before?.phase === "rollout" && !change.lastReported?.held;
  const isReverted = before?.phase === "rollback";
  if (isReverted && !isBeingDeleted(object)) await restoreStable(object, api);
  if (isSuccess) await clearPreviousTemplate(object, api);
  if (isReverted || isSuccess) await (isBeingDeleted(object) ? deleteCanary : scaleCanaryDown)(object, api);
  // Its outcome was not known before the restored version was ready.
  const isSuspected = isReverted && object.status?.suspect !== undefined;
  const outcome = isSuspected ? revertedStatus(object, before.target.image, change) : {};
  const progress = isReverted ? { ...outcome, canaryReplicas: 0 } : before === null ? {} : supersededStatus(change);
  const updated = await writeCanaryStatus(
    object,
    isSuccess ? succeededStatus(object, before) : progress,
    change,
    api,
    now,
  );
  await writeMetadata(updated, change, api);
}

async function writeMetadata(object: StatefulCanary, change: Change, api: KubernetesApi): Promise<StatefulCanary> {
  const finalizers = nextFinalizers(object, change);
  const { annotations: from = {} } = object.metadata;
  const changed = Object.entries(annotationPatch(change)).filter(([name, value]) => (from[name] ?? null) !== value);
  const patch = Object.fromEntries(changed);
  if (Object.keys(patch).length === 0 && finalizers === undefined) return object;
  const { resourceVersion } = object.metadata;
  const metadata = { resourceVersion, annotations: patch, ...(finalizers === undefined ? {} : { finalizers }) };
  return api.patch<StatefulCanary>(resource, object.metadata, "application/merge-patch+json", { metadata });
}

/** Returns the finalizers to write; undefined if unchanged. A server accepts no new finalizer once deletion was requested. */
function nextFinalizers(object: StatefulCanary, { inFlight }: Change): readonly string[] | undefined {
  const { finalizers = [] } = object.metadata;
  const isHeld = finalizers.includes(finalizer);
  if (inFlight === null) return isHeld ? finalizers.filter((one) => one !== finalizer) : undefined;
  if (inFlight === undefined || isHeld || isBeingDeleted(object)) return undefined;
  return [...finalizers, finalizer];
}

function annotationPatch({ inFlight, paused, verdict }: Change): AnnotationPatch {
  const isOver = inFlight === null || inFlight?.phase === "rollback";
  return {
    ...(inFlight ? inFlightPatch(inFlight, annotations) : {}),
    ...(inFlight === null ? { ...clearInFlightPatch(annotations), [annotations.canaryVerdict]: null } : {}),
    ...(isOver ? { [annotations.targetImage]: null } : {}),
    ...pausedPatch(paused),
    ...(verdict === undefined ? {} : { [annotations.canaryVerdict]: verdict }),
  };
}
