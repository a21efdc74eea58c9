import { annotations } from "../../../domain/annotations.ts";
import type { Change, InFlight } from "../../../domain/workload.ts";
import {
  analysisPatch,
  type AnnotationPatch,
  announcedPatch,
  inFlightPatch,
  noLongerInFlightPatch,
  pausedPatch,
  readInFlight,
} from "../annotated.ts";
import type { KubernetesApi } from "../api.ts";
import { finalizer, isBeingDeleted, resource, type StatefulCanary } from "./stateful-canary-object.ts";
import {
  promoteStable,
  removeCanary,
  scaleCanaryDown,
  settleStable,
  startSets,
  takeSetsBack,
} from "./stateful-canary-sets.ts";
import {
  analyzing,
  failed,
  initializing,
  invalid,
  overtaken,
  type Progress,
  progressing,
  promoting,
  succeeded,
  writeStatus,
} from "./stateful-canary-status.ts";

/**
 * Marks, status and the two sets are separate writes. Whatever interrupts them, repeating the step finishes it: a claim
 * stands before anything is made, and what it was for is done before its marks are taken away.
 */
export async function writeStatefulCanary(
  object: StatefulCanary,
  change: Change,
  api: KubernetesApi,
  now: Date,
): Promise<void> {
  const before = readInFlight(object.metadata.annotations ?? {}, annotations);
  const { inFlight } = change;
  if (inFlight === undefined) return note(object, change, before, api, now);
  if (inFlight === null) return end(object, change, before, api, now);
  if (inFlight.phase === "rollback") return takeBack(object, change, inFlight, api, now);
  if (inFlight.phase === "rollout") return promote(object, change, before, inFlight, api, now);
  return start(object, change, inFlight, api, now);
}

async function note(object: StatefulCanary, change: Change, before: InFlight | null, api: KubernetesApi, now: Date) {
  const noted = await writeMetadata(object, change, api);
  await writeStatus(noted, progressOf(object, change, before), change, api, now);
}

function progressOf(object: StatefulCanary, { analysis, announced }: Change, before: InFlight | null): Progress {
  if (analysis && before?.phase === "canary") return analyzing(analysis);
  return announced?.problem ? invalid(object, announced.problem) : {};
}

/** The claim first. Taken over from another execution, a canary that stands already is left as it is. */
async function start(object: StatefulCanary, change: Change, marks: InFlight, api: KubernetesApi, now: Date) {
  const claimed = await writeMetadata(object, change, api);
  if (isBeingDeleted(object) || !change.canary) return;
  const { image } = change.canary;
  const begun = await writeStatus(claimed, initializing(claimed, image), change, api, now);
  await startSets(begun, marks.targetImage, api);
  await writeStatus(begun, progressing(begun, image), {}, api, now);
}

/**
 * Under a claim of its own the set goes before its marks, so that a promotion cut short is seen as none and is done again.
 * Without one (there was no canary, or another execution's is taken over) the claim goes first.
 */
async function promote(
  object: StatefulCanary,
  change: Change,
  before: InFlight | null,
  { execution, targetImage }: InFlight,
  api: KubernetesApi,
  now: Date,
) {
  const isHeld = before?.execution === execution;
  if (isHeld && !isBeingDeleted(object)) await promoteStable(object, targetImage, api);
  const claimed = await writeMetadata(object, change, api);
  if (isBeingDeleted(object)) return;
  if (!isHeld) await promoteStable(object, targetImage, api);
  await writeStatus(claimed, promoting(claimed, targetImage, before !== null), change, api, now);
  await scaleCanaryDown(object, api);
}

/** Counted and said before anything is put back. */
async function takeBack(object: StatefulCanary, change: Change, marks: InFlight, api: KubernetesApi, now: Date) {
  const said = await writeStatus(object, failed(object, marks.targetImage, change), change, api, now);
  await writeMetadata(said, change, api);
  await takeSetsBack(object, api);
}

/** The marks and the finalizer go last. Where another image is asked for, the sets stay for the update to it. */
async function end(object: StatefulCanary, change: Change, before: InFlight | null, api: KubernetesApi, now: Date) {
  const isSuccess = before?.phase === "rollout" && !change.announced?.held;
  if (before?.phase === "rollback") await (isBeingDeleted(object) ? removeCanary : takeSetsBack)(object, api);
  if (isSuccess) await settleStable(object, api);
  const progress = before?.phase === "rollback" || before === null ? {} : overtaken(change);
  const said = await writeStatus(object, isSuccess ? succeeded(object, before) : progress, change, api, now);
  await writeMetadata(said, change, api);
}

async function writeMetadata(object: StatefulCanary, change: Change, api: KubernetesApi): Promise<StatefulCanary> {
  const finalizers = finalizersAfter(object, change);
  const patch = annotationPatch(change);
  if (Object.keys(patch).length === 0 && finalizers === undefined) return object;
  const { resourceVersion } = object.metadata;
  const metadata = { resourceVersion, annotations: patch, ...(finalizers === undefined ? {} : { finalizers }) };
  return api.patch<StatefulCanary>(resource, object.metadata, "application/merge-patch+json", { metadata });
}

/** The list as it is to be; undefined where it is so already. A server takes no new one once a deletion was asked for. */
function finalizersAfter(object: StatefulCanary, { inFlight }: Change): readonly string[] | undefined {
  const { finalizers = [] } = object.metadata;
  const isHeld = finalizers.includes(finalizer);
  if (inFlight === null) return isHeld ? finalizers.filter((one) => one !== finalizer) : undefined;
  if (inFlight === undefined || isHeld || isBeingDeleted(object)) return undefined;
  return [...finalizers, finalizer];
}

function annotationPatch({ inFlight, announced, paused, analysis, verdict }: Change): AnnotationPatch {
  const isOver = inFlight === null || inFlight?.phase === "rollback";
  return {
    ...(inFlight ? inFlightPatch(inFlight, annotations) : {}),
    ...(inFlight === null ? { ...noLongerInFlightPatch(annotations), [annotations.canaryVerdict]: null } : {}),
    ...(isOver ? { [annotations.targetImage]: null } : {}),
    ...announcedPatch(announced ?? {}),
    ...pausedPatch(paused),
    ...analysisPatch(analysis),
    ...(verdict === undefined ? {} : { [annotations.canaryVerdict]: verdict }),
  };
}
