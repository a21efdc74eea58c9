import { canaryReplicas } from "../../functions/domain/workload/canary/size.ts";
import { pinToDigest, withoutDigest } from "../../functions/domain/image/reference.ts";
import type { Digests, TrackedContainer } from "../../functions/domain/workload/digest/tracking.ts";
import type { Change, InFlight, Rollout, Workload } from "../../functions/domain/workload/workload.ts";

/**
 * Splits a change into writes, in the order that the port guarantees. A Claw has metadata and status, and the canary of a Deployment
 * is a separate object. Everything else is one patch.
 */
export function splitWrites(workload: Workload, change: Change): readonly Change[] {
  if (workload.ref.kind === "Claw" && change.updateRecord !== undefined) return splitClawWrites(change);
  if (workload.ref.kind !== "Deployment") return [change];
  const { canary, ...own } = change;
  if (change.inFlight === null && workload.canary !== null) return [{ canary: null }, own];
  return canary === undefined ? [own] : [own, { canary }];
}

function splitClawWrites({ updateRecord, ...metadata }: Change): readonly Change[] {
  const isOver = metadata.inFlight === null || metadata.inFlight?.phase === "rollback";
  const status = updateRecord === undefined ? {} : { updateRecord };
  return isOver ? [status, metadata] : [metadata, status];
}

/** Returns the workload after one write. Its pods match at once, and are ready unless their image is in `broken`. */
export function applyWrite(
  before: Workload,
  change: Change,
  initialImage: string | null,
  broken: ReadonlySet<string>,
): Workload {
  return withRestart(withRollout(withChange(before, change, broken), initialImage, broken), change, broken);
}

function withChange(workload: Workload, change: Change, broken: ReadonlySet<string>): Workload {
  const { inFlight, updateRecord, lastReported, canary, analysis, verdict } = change;
  const image = changedImage(workload, change);
  return {
    ...workload,
    resourceVersion: String(Number(workload.resourceVersion) + 1),
    ...(image === undefined ? {} : { image }),
    ...(inFlight === undefined ? {} : { inFlight: recordedInFlight(inFlight) }),
    ...(canary === undefined ? {} : { canary: canary && canaryRollout(workload, canary, broken) }),
    ...(analysis === undefined ? {} : { analysis }),
    ...(change.answer === undefined ? {} : { request: null, lastRequest: change.answer }),
    ...(inFlight === null ? { verdict: null } : verdict === undefined ? {} : { verdict }),
    ...(change.restart === undefined ? {} : { restartedAt: change.restart }),
    digests: changeDigests(workload, change, image),
    updateRecord: { ...workload.updateRecord, ...updateRecord },
    lastReported: { ...workload.lastReported, ...lastReported },
  };
}

/** Applies the recorded digests. Tracked containers that run the image get the new one. */
function changeDigests(
  { digests, image: before }: Workload,
  { digests: { deployed, previous, reverted } = {} }: Change,
  image: string | null | undefined,
): Workload["digests"] {
  if (digests === null) return null;
  const moves = (container: TrackedContainer) => Boolean(image) && container.image === withoutDigest(before ?? "");
  return {
    ...digests,
    containers: digests.containers.map((container) =>
      moves(container) ? { ...container, image: withoutDigest(image ?? "") } : container,
    ),
    ...(deployed === undefined ? {} : { deployed: deployed ?? {} }),
    ...(previous === undefined ? {} : { previous }),
    ...(reverted === undefined ? {} : { reverted }),
  };
}

/** Recreates the pods of the same tag. Those of a digest in `broken` are not ready until the previous digest is pinned. */
function withRestart(workload: Workload, { restart, pins, inFlight }: Change, broken: ReadonlySet<string>): Workload {
  const { rollout } = workload;
  if (rollout === null || (restart === undefined && pins === undefined)) return workload;
  const isBroken = pins === undefined && broken.has(inFlight?.targetImage ?? "");
  const generation = rollout.generation + 1;
  const readyReplicas = isBroken ? 0 : rollout.desiredReplicas;
  const image = pinnedImage(workload, pins ?? {});
  return {
    ...workload,
    image,
    source: workload.source && image,
    isPinnedByPawl: image !== withoutDigest(image ?? ""),
    rollout: { ...rollout, image, readyReplicas, generation, observedGeneration: generation },
  };
}

/** Returns the image of the main container, with its pin if it has one. */
function pinnedImage({ image, digests }: Workload, pins: Digests): string | null {
  const own = withoutDigest(image ?? "");
  const pin = pins[digests?.containers.find((container) => container.image === own)?.name ?? ""];
  return pin === undefined ? own : pinToDigest(own, pin);
}

/** Returns the new image. A StatefulSet is its own canary: its template has the target from the start. */
function changedImage({ ref }: Workload, { image, canary }: Change): string | null | undefined {
  return ref.kind === "StatefulSet" && canary ? canary.image : image;
}

/** Keeps only the execution and the target of an update that is rolled back, as the annotations do. */
function recordedInFlight(inFlight: InFlight | null): InFlight | null {
  return inFlight?.phase === "rollback" ? { ...inFlight, startedAt: "malformed", previousImage: null } : inFlight;
}

function canaryRollout(
  { rollout }: Workload,
  { image, size }: NonNullable<Change["canary"]>,
  broken: ReadonlySet<string>,
): Rollout {
  const replicas = canaryReplicas(size, rollout?.desiredReplicas ?? 1);
  return {
    generation: 1,
    observedGeneration: 1,
    image,
    desiredReplicas: replicas,
    updatedReplicas: replicas,
    readyReplicas: broken.has(image) ? 0 : replicas,
    oldReplicas: 0,
  };
}

function withRollout(workload: Workload, initialImage: string | null, broken: ReadonlySet<string>): Workload {
  const { rollout } = workload;
  const image = workload.image ?? initialImage;
  if (rollout === null || rollout.image === image) return workload;
  const readyReplicas = broken.has(image ?? "") ? 0 : rollout.desiredReplicas;
  const generation = rollout.generation + 1;
  // A built-in kind tracks the repository of its own container, a Claw that of its runtime.
  const source = workload.ref.kind === "Claw" ? workload.source : image;
  return {
    ...workload,
    source,
    rollout: { ...rollout, image, readyReplicas, generation, observedGeneration: generation },
  };
}
