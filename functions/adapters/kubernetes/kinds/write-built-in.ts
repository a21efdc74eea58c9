import { isSameRepository } from "../../../domain/image/reference.ts";
import type { Change } from "../../../domain/workload/change.ts";
import type { InFlight, Workload } from "../../../domain/workload/workload.ts";
import type { KubernetesApi } from "../api.ts";
import type { AutoUpdate } from "../auto-update/object.ts";
import type { ClaimContext } from "../auto-update/update-status.ts";
import { createAutoUpdate, deleteAutoUpdate, writeStatus } from "../auto-update/write.ts";
import { isForbidden } from "../errors.ts";
import { type BuiltInKind, type BuiltInSettings, canaryStrategyOf } from "./built-in-kind.ts";
import { movedContainers } from "./container.ts";
import { recordPastVersion } from "./past-version.ts";
import { type BuiltInObject, hashTemplate } from "./pod-template.ts";
import { appendRelease, defaultKeptReleases, releasesOf } from "../../../domain/workload/release/release.ts";
import { readLatestRevision, readSnapshots } from "./revisions.ts";
import { workloadPatch } from "./workload-patch.ts";

interface Target<T extends BuiltInObject> {
  /** With the annotations that say what its policy is. */
  readonly object: T;
  readonly autoUpdate: AutoUpdate | null;
  readonly workload: Workload;
  readonly kind: BuiltInKind<T>;
  readonly settings: BuiltInSettings;
}

/** Beyond the health timeout: time for retries while the cluster is unreachable. */
const claimMarginSeconds = 900;

/**
 * Writes a change to the workload and to its AutoUpdate. A process may end between any two writes: each order leaves a state that
 * tells how far it came.
 */
export async function writeBuiltIn<T extends BuiltInObject>(
  target: Target<T>,
  requested: Change,
  api: KubernetesApi,
): Promise<void> {
  const { autoUpdate, object, kind, settings, workload } = target;
  const isCleanup = isOnlyCleanup(workload, requested);
  const change = isCleanup ? await restoreBefore(target, requested, api) : requested;
  if (change.deleteRecord) return autoUpdate === null ? undefined : deleteAutoUpdate(autoUpdate, api);
  const body = patchOf(target, change);
  // Only a recorder may create an AutoUpdate, and none does after opt-out.
  if (change.removeFinalizer || (autoUpdate === null && isCleanup)) {
    await changeWorkload(target, change, body, api);
    return;
  }
  const record = autoUpdate ?? (await createAutoUpdate(object, kind.resource, api));
  const isFirst = record.status?.observedGeneration === undefined;
  const recorded = isFirst ? await recordPastVersion(object, workload, change, kind.resource, api) : change;
  const claim = { ...claimContext(target, change), ...(await releasesAfter(target, change, api)) };
  const write = (to: AutoUpdate, written: Change, context = claim) =>
    writeStatus(to, written, context, api, settings.now());
  const { inFlight, canary } = change;
  const findAutoscaler = async () => (await canaryStrategyOf(kind)?.autoscaler(object, api)) ?? null;
  // Also of a claim that waits for its hook: the revision of the target is later than that.
  const revision = inFlight ? await claimedRevision(target, inFlight, api) : {};
  const changesPods = body?.spec !== undefined || Boolean(canary) || (canary === null && claim.hasCanary);
  if (!inFlight || !changesPods) {
    // A release follows what it ends, and a claim that another execution takes over follows its fence.
    const unpatched = (await changeWorkload(target, change, body, api)) ?? object;
    // A canary that begins again is one of the template as it is now.
    const noted = canary ? { template: hashTemplate(unpatched), autoscaler: await findAutoscaler() } : {};
    await write(record, { ...recorded, ...releaseIgnored(target, change) }, { ...claim, ...revision, ...noted });
    return;
  }
  // The pins that a restart removes are known until the workload is unpinned.
  const { restart, ...claiming } = recorded;
  const autoscaler = canary ? await findAutoscaler() : null;
  const claimed = await write(
    record,
    { ...claiming, inFlight: { ...inFlight, isApplied: false } },
    { ...claim, ...revision, autoscaler },
  );
  const changed = await changeWorkload(target, change, body, api);
  const noted = changed === null ? {} : { template: hashTemplate(changed) };
  const applied = { inFlight: { ...inFlight, isApplied: true }, ...(restart === undefined ? {} : { restart }) };
  await write(claimed, applied, { ...claim, ...noted, hasCanary: claim.hasCanary && canary !== null });
}

/** Returns all releases after a change that records one: its snapshot is the newest revision with its pod template. */
async function releasesAfter<T extends BuiltInObject>(
  { object, kind, workload }: Target<T>,
  { release }: Change,
  api: KubernetesApi,
): Promise<Pick<ClaimContext, "releases">> {
  if (release === undefined) return {};
  const { policy } = workload;
  const found = (await readSnapshots(object, kind.resource, api)).find(({ hash }) => hash === release.hash);
  const list = releasesOf(workload);
  return found === undefined
    ? {}
    : {
        releases: appendRelease(
          list,
          { ...release, revision: found.revision },
          policy.keptReleases ?? defaultKeptReleases,
        ),
      };
}

/** Reads which revision is the latest before the first change of an update. That of a restart has its time in its template. */
async function claimedRevision<T extends BuiltInObject>(
  { object, kind, autoUpdate }: Target<T>,
  { phase, targetImage }: InFlight,
  api: KubernetesApi,
): Promise<Pick<ClaimContext, "targetRevision">> {
  const isClaimed = autoUpdate?.status?.update?.targetImage === targetImage;
  if (isClaimed || phase === "restart" || phase === "rollback") return {};
  return { targetRevision: await readLatestRevision(object, kind.resource, api) };
}

/** Reports whether a change only removes a canary that is left. */
export function isOnlyCleanup({ isCanaryLeft }: Workload, { canary, ...others }: Change): boolean {
  return isCanaryLeft && canary === null && Object.keys(others).length === 0;
}

/** No analysis judged a canary that is left: the pods go back to the image before it, not on to that of the canary. */
async function restoreBefore<T extends BuiltInObject>(
  { object, kind, workload }: Target<T>,
  change: Change,
  api: KubernetesApi,
): Promise<Change> {
  const image = (await canaryStrategyOf(kind)?.imageBefore(object, api)) ?? null;
  return image === null || !isSameRepository(image, workload.image ?? "") ? change : { ...change, image };
}

function patchOf<T extends BuiltInObject>(target: Target<T>, change: Change) {
  const { object, autoUpdate, kind, settings } = target;
  return workloadPatch(object, change, {
    strategy: canaryStrategyOf(kind),
    hasCanary: hasCanary(target),
    digests: settings.digests,
    recorded: autoUpdate?.status?.digests,
    moved: autoUpdate?.status?.update?.containers,
    holder: autoUpdate?.status?.update?.execution ?? null,
  });
}

/** Patches the workload, and creates or deletes its canary. The canary of an update that ends is deleted. */
async function changeWorkload<T extends BuiltInObject>(
  target: Target<T>,
  { canary, inFlight }: Change,
  body: object | null,
  api: KubernetesApi,
): Promise<T | null> {
  const strategy = canaryStrategyOf(target.kind);
  const changed = await patchWorkload(target, body, api);
  if (canary) await strategy?.create(target.object, canary, api);
  if ((canary !== null && inFlight !== null) || !hasCanary(target)) return changed;
  try {
    await strategy?.delete(target.object, api);
  } catch (error) {
    // A recorder may release a claim, and must not delete anything: the next poll finds what is left.
    if (canary === null || !isForbidden(error)) throw error;
  }
  return changed;
}

/** Returns the workload after the patch; null without one. */
async function patchWorkload<T extends BuiltInObject>(
  { object, kind }: Target<T>,
  body: object | null,
  api: KubernetesApi,
): Promise<T | null> {
  if (body === null) return null;
  return api.patch<T>(kind.resource, object.metadata, "application/strategic-merge-patch+json", body);
}

/** A claim that is not of this workload, or of a repository that it does not track, is removed with the next change. */
function releaseIgnored<T extends BuiltInObject>({ autoUpdate, workload }: Target<T>, { inFlight }: Change): Change {
  const isIgnored = inFlight === undefined && workload.inFlight === null && autoUpdate?.status?.update !== undefined;
  return isIgnored ? { inFlight: null } : {};
}

function hasCanary<T extends BuiltInObject>({ autoUpdate, workload }: Target<T>): boolean {
  return workload.isCanaryLeft || (workload.inFlight !== null && autoUpdate?.status?.update?.hasCanary === true);
}

function claimContext<T extends BuiltInObject>(target: Target<T>, change: Change): ClaimContext {
  const { nextStepSeconds = 0 } = change;
  const { object, workload, settings } = target;
  const seconds = workload.policy.healthTimeoutSeconds + claimMarginSeconds + nextStepSeconds;
  return {
    holder: settings.holder.id,
    expiresAt: new Date(settings.now().getTime() + seconds * 1000),
    targetUID: object.metadata.uid,
    targetGeneration: object.metadata.generation ?? 1,
    hasCanary: hasCanary(target),
    moved: movedContainers(object, change),
  };
}
