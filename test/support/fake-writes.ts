import { canaryReplicas } from "../../functions/domain/canary-size.ts";
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
  return rolledOut(changed(before, change, broken), chosenBefore, broken);
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
    bookkeeping: { ...workload.bookkeeping, ...bookkeeping },
    announced: { ...workload.announced, ...announced },
  };
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
