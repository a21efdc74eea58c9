import { canaryReplicas } from "../../functions/domain/canary-size.ts";
import { pinTo, withoutDigest } from "../../functions/domain/image-reference.ts";
import type { Digests, TrackedContainer } from "../../functions/domain/tracking.ts";
import type { Change, InFlight, Rollout, Workload } from "../../functions/domain/workload.ts";

/**
 * The writes that a change takes, in the order that the port promises: a Claw has metadata and status, and the canary of a
 * Deployment is an object of its own. Everything else is one patch.
 */
export function writesOf(workload: Workload, change: Change): readonly Change[] {
  if (workload.ref.kind === "Claw" && change.bookkeeping !== undefined) return writesOfClaw(change);
  if (workload.ref.kind !== "Deployment") return [change];
  const { canary, ...own } = change;
  if (change.inFlight === null && workload.canary !== null) return [{ canary: null }, own];
  return canary === undefined ? [own] : [own, { canary }];
}

function writesOfClaw({ bookkeeping, ...metadata }: Change): readonly Change[] {
  const isOver = metadata.inFlight === null || metadata.inFlight?.phase === "rollback";
  const status = bookkeeping === undefined ? {} : { bookkeeping };
  return isOver ? [status, metadata] : [metadata, status];
}

/** The workload after one write, with pods that follow at once and are ready unless their image is in `broken`. */
export function written(
  before: Workload,
  change: Change,
  chosenBefore: string | null,
  broken: ReadonlySet<string>,
): Workload {
  return restarted(rolledOut(changed(before, change, broken), chosenBefore, broken), change, broken);
}

function changed(workload: Workload, change: Change, broken: ReadonlySet<string>): Workload {
  const { inFlight, bookkeeping, announced, canary, analysis, verdict } = change;
  const image = imageOf(workload, change);
  return {
    ...workload,
    resourceVersion: String(Number(workload.resourceVersion) + 1),
    ...(image === undefined ? {} : { image }),
    ...(inFlight === undefined ? {} : { inFlight: marksOf(inFlight) }),
    ...(canary === undefined ? {} : { canary: canary && podsOf(workload, canary, broken) }),
    ...(analysis === undefined ? {} : { analysis }),
    ...(inFlight === null ? { verdict: null } : verdict === undefined ? {} : { verdict }),
    ...(change.restart === undefined ? {} : { restartedAt: change.restart }),
    digests: digestsOf(workload, change, image),
    bookkeeping: { ...workload.bookkeeping, ...bookkeeping },
    announced: { ...workload.announced, ...announced },
  };
}

/** What is recorded of digests; the followed containers that run the image move with it. */
function digestsOf(
  { digests, image: before }: Workload,
  { digests: { last, former, returning } = {} }: Change,
  image: string | null | undefined,
): Workload["digests"] {
  if (digests === null) return null;
  const moves = (container: TrackedContainer) => Boolean(image) && container.image === withoutDigest(before ?? "");
  return {
    ...digests,
    containers: digests.containers.map((one) => (moves(one) ? { ...one, image: withoutDigest(image ?? "") } : one)),
    ...(last === undefined ? {} : { last: last ?? {} }),
    ...(former === undefined ? {} : { former }),
    ...(returning === undefined ? {} : { returning }),
  };
}

/** Pods made anew of the same tag; those of a digest in `broken` never become ready, until what ran before is pinned. */
function restarted(workload: Workload, { restart, pins, inFlight }: Change, broken: ReadonlySet<string>): Workload {
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
    isPinned: image !== withoutDigest(image ?? ""),
    rollout: { ...rollout, image, readyReplicas, generation, observedGeneration: generation },
  };
}

/** The image of the container that the workload is known by, held at its pin, or no longer held where it has none. */
function pinnedImage({ image, digests }: Workload, pins: Digests): string | null {
  const own = withoutDigest(image ?? "");
  const pin = pins[digests?.containers.find((one) => one.image === own)?.name ?? ""];
  return pin === undefined ? own : pinTo(own, pin);
}

/** A StatefulSet is its own canary: its template names the target from the beginning. */
function imageOf({ ref }: Workload, { image, canary }: Change): string | null | undefined {
  return ref.kind === "StatefulSet" && canary ? canary.image : image;
}

/** Of an update that is being rolled back no more is kept than whose work it is and what was given up. */
function marksOf(inFlight: InFlight | null): InFlight | null {
  return inFlight?.phase === "rollback" ? { ...inFlight, startedAt: "malformed", previousImage: null } : inFlight;
}

function podsOf(
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

function rolledOut(workload: Workload, chosenBefore: string | null, broken: ReadonlySet<string>): Workload {
  const { rollout } = workload;
  const image = workload.image ?? chosenBefore;
  if (rollout === null || rollout.image === image) return workload;
  const readyReplicas = broken.has(image ?? "") ? 0 : rollout.desiredReplicas;
  const generation = rollout.generation + 1;
  // A built-in kind follows the repository of its own container, a Claw that of its runtime.
  const source = workload.ref.kind === "Claw" ? workload.source : image;
  return {
    ...workload,
    source,
    rollout: { ...rollout, image, readyReplicas, generation, observedGeneration: generation },
  };
}
