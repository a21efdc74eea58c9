import { annotations, changeCauseAnnotation, imageUpdaterAnnotations } from "../../../domain/workload/annotations.ts";
import { isSameRepository, tagOf, versionOf } from "../../../domain/image/reference.ts";
import { higherVersion } from "../../../domain/version/version.ts";
import { formatDigests } from "../../../domain/workload/digest/digests.ts";
import type { Change, Workload } from "../../../domain/workload/workload.ts";
import type { AnnotationPatch } from "../annotation-codec.ts";
import type { KubernetesApi } from "../api.ts";
import type { AutoUpdate } from "../auto-update/object.ts";
import type { ClaimContext } from "../auto-update/status.ts";
import { writePaused } from "../auto-update/pause.ts";
import { createAutoUpdate, deleteAutoUpdate, writeStatus } from "../auto-update/write.ts";
import { type BuiltInKind, type BuiltInSettings, canaryStrategyOf } from "./built-in.ts";
import { imagePatch } from "./container.ts";
import { finalizerPatch, restartPatch } from "./digest-patch.ts";
import type { BuiltInObject } from "./pod-template.ts";
import { listRevisionTemplates } from "./revisions.ts";

interface Target<T extends BuiltInObject> {
  readonly object: T;
  readonly autoUpdate: AutoUpdate | null;
  readonly workload: Workload;
  readonly kind: BuiltInKind<T>;
  readonly settings: BuiltInSettings;
}

/** Beyond the health timeout: time for retries while the cluster is unreachable. */
const claimMarginSeconds = 900;

/**
 * Claims in the AutoUpdate, then changes the workload, then marks the change as applied. A process that ends between two of these
 * leaves a state that tells how far it came. A rollback is recorded before the workload is restored.
 */
export async function writeBuiltIn<T extends BuiltInObject>(
  target: Target<T>,
  change: Change,
  api: KubernetesApi,
): Promise<void> {
  const { object, kind, settings } = target;
  if (change.paused !== undefined) return writePaused({ ...target, target: kind.resource }, change.paused, api);
  if (change.deleteRecord) return target.autoUpdate === null ? undefined : deleteAutoUpdate(target.autoUpdate, api);
  const body = workloadPatch(target, change);
  if (change.removeFinalizer) return patchWorkload(target, body, api);
  const claim = claimContext(target);
  const strategy = canaryStrategyOf(kind);
  const isRelease = change.inFlight === null;
  const hasCanary = hasCanaryOf(target);
  const created = target.autoUpdate ?? (await createAutoUpdate(object, kind.resource, api));
  const first = target.autoUpdate === null ? await recordPastVersion(target, change, api) : change;
  if (isRelease && hasCanary) await strategy?.delete(object, api);
  const { inFlight } = change;
  const isPending = Boolean(inFlight) && (body?.spec !== undefined || change.canary !== undefined);
  const applied: Change = inFlight ? { inFlight: { ...inFlight, isApplied: true } } : releaseIgnored(target);
  const pending: Change = inFlight ? { inFlight: { ...inFlight, isApplied: false } } : {};
  const claimed = await writeStatus(
    created,
    { ...first, ...(isPending ? pending : applied) },
    claim,
    api,
    settings.now(),
  );
  await patchWorkload(target, body, api);
  if (change.canary) await strategy?.create(object, change.canary, api);
  if (change.canary === null && !isRelease && hasCanary) await strategy?.delete(object, api);
  if (!isPending) return;
  const stillHasCanary = claim.hasCanary && change.canary !== null;
  await writeStatus(claimed, applied, { ...claim, hasCanary: stillHasCanary }, api, settings.now());
}

/**
 * A workload that ran a newer version before Pawl recorded any was rolled back by a person: then that version is the current one,
 * and only a newer one is applied.
 */
async function recordPastVersion<T extends BuiltInObject>(
  { object, kind, workload: { source } }: Target<T>,
  change: Change,
  api: KubernetesApi,
): Promise<Change> {
  if (source === null) return change;
  const templates = await listRevisionTemplates(object, kind.resource, api);
  const images = templates.flatMap(({ spec }) => spec.containers.map(({ image = "" }) => image));
  const tags = images.filter((image) => isSameRepository(image, source)).map(tagOf);
  const highest = tags.reduce<string | null>(higherVersion, null);
  if (highest === null || higherVersion(highest, tagOf(source)) === tagOf(source)) return change;
  return { ...change, updateRecord: { ...change.updateRecord, currentVersion: highest } };
}

/** A claim that is not of this workload, or of a repository that it does not track, is removed with the next change. */
function releaseIgnored<T extends BuiltInObject>({ autoUpdate, workload }: Target<T>): Change {
  const isIgnored = workload.inFlight === null && autoUpdate?.status?.update !== undefined;
  return isIgnored ? { inFlight: null } : {};
}

function hasCanaryOf<T extends BuiltInObject>({ autoUpdate, workload }: Target<T>): boolean {
  return workload.isCanaryLeft || autoUpdate?.status?.update?.hasCanary === true;
}

async function patchWorkload<T extends BuiltInObject>(
  { object, kind }: Target<T>,
  body: object | null,
  api: KubernetesApi,
): Promise<void> {
  if (body !== null) await api.patch(kind.resource, object.metadata, "application/strategic-merge-patch+json", body);
}

function claimContext<T extends BuiltInObject>({ object, autoUpdate, workload, settings }: Target<T>): ClaimContext {
  const seconds = workload.policy.healthTimeoutSeconds + claimMarginSeconds;
  return {
    holder: settings.holder.id,
    expiresAt: new Date(settings.now().getTime() + seconds * 1000),
    targetUID: object.metadata.uid,
    targetGeneration: object.metadata.generation ?? 1,
    hasCanary: autoUpdate?.status?.update?.hasCanary ?? false,
  };
}

interface WorkloadPatch {
  readonly metadata: object;
  /** Absent if only annotations or finalizers change. */
  readonly spec?: object;
}

/** Returns the one patch of the workload, on the resourceVersion that was read; null if it stays unchanged. */
function workloadPatch<T extends BuiltInObject>(target: Target<T>, change: Change): WorkloadPatch | null {
  const { object, autoUpdate, kind, settings } = target;
  const hasCanary = hasCanaryOf(target);
  const isUnchanged = change.canary === undefined || (change.canary === null && !hasCanary);
  const canaryPatch = isUnchanged ? null : (canaryStrategyOf(kind)?.patch(object, change.canary ?? null) ?? null);
  const spec = {
    ...imagePatch(object, change),
    ...restartPatch(object, change, settings.digests, autoUpdate?.status?.digests),
    ...canaryPatch?.spec,
  };
  const isChanged = Object.keys(spec).length > 0;
  const written = {
    ...fence(object, change),
    ...(isChanged ? describeChange(object, change) : {}),
    ...canaryPatch?.annotations,
  };
  if (!isChanged && Object.keys(written).length === 0 && !change.removeFinalizer) return null;
  const metadata = {
    resourceVersion: object.metadata.resourceVersion,
    ...finalizerPatch(object),
    annotations: written,
  };
  return { metadata, ...(isChanged ? { spec } : {}) };
}

/** Names the execution that holds the claim, so that a late patch of its former holder is a conflict. */
function fence({ metadata }: BuiltInObject, { inFlight }: Change): AnnotationPatch {
  const execution = inFlight?.execution ?? null;
  if (execution === null || metadata.annotations?.[annotations.execution] === execution) return {};
  return { [annotations.execution]: execution };
}

/** What people and other controllers read of a change. Pawl itself reads only `last-digest`. */
function describeChange({ metadata }: BuiltInObject, { image, digests, inFlight }: Change): AnnotationPatch {
  const { deployed } = digests ?? {};
  const cause = metadata.annotations?.[changeCauseAnnotation];
  const isOwnCause = cause === undefined || cause.startsWith(causePrefix);
  return {
    ...(image ? { [annotations.targetImage]: image } : {}),
    ...(image && isOwnCause
      ? {
          [changeCauseAnnotation]: `${causePrefix}${inFlight?.phase === "rollback" ? "roll back" : "update"} to ${versionOf(image)}`,
        }
      : {}),
    ...(deployed === undefined
      ? {}
      : { [imageUpdaterAnnotations.lastDigest]: deployed === null ? null : formatDigests(deployed) }),
  };
}

const causePrefix = "pawl: ";
