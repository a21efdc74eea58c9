import { secondsAfter } from "../../../../domain/text/rfc3339.ts";
import { isSameRepository } from "../../../../domain/image/reference.ts";
import type { Change } from "../../../../domain/workload/update/change.ts";
import type { InFlight } from "../../../../domain/workload/update/in-flight.ts";
import type { Workload } from "../../../../domain/workload/workload.ts";
import type { KubernetesApi } from "../../api.ts";
import type { AutoUpdate } from "../../auto-update/object.ts";
import { type ClaimContext, isTargetOf } from "../../auto-update/status/update-status.ts";
import { addOwner, createAutoUpdate, deleteAutoUpdate, writeStatus } from "../../auto-update/write.ts";
import { recordTargetOf } from "../../auto-update/status/record-target.ts";
import { canaryStrategyOf } from "./built-in-kind.ts";
import { asAnswered, refuseRewritten } from "./answered.ts";
import { type BuiltInTarget, changeWorkload, hasCanary, patchOf } from "./change-built-in.ts";
import { movedContainers, primaryContainer } from "../pod-template/container.ts";
import { recordPastVersion } from "../record/past-version.ts";
import { type BuiltInObject, hashTemplate } from "../pod-template/pod-template.ts";
import { appendRelease, defaultKeptReleases, releasesOf } from "../../../../domain/workload/release/release.ts";
import { keepTemplate, pruneTemplates } from "../pod-template/kept-templates.ts";
import { readLatestRevision, readSnapshots } from "../pod-template/revisions.ts";

/** Beyond the health timeout: time for retries while the cluster is unreachable. */
const claimMarginSeconds = 900;

/**
 * Writes a change to the workload and to its AutoUpdate. A process may end between any two writes: each order leaves a state that
 * tells how far it came.
 */
export async function writeBuiltIn<T extends BuiltInObject>(
  target: BuiltInTarget<T>,
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
  const found =
    change.ownsRecord && autoUpdate !== null ? await addOwner(autoUpdate, object, kind.resource, api) : autoUpdate;
  const record = found ?? (await createAutoUpdate(object, kind.resource, api));
  const isFirst = record.status?.observedGeneration === undefined;
  const recorded = isFirst ? await recordPastVersion(object, workload, change, kind.resource, api) : change;
  const claim = { ...claimContext(target, change), ...(await releasesAfter(target, change, api)) };
  const write = (to: AutoUpdate, written: Change, context = claim) =>
    writeStatus(to, written, context, api, settings.now());
  const { inFlight, canary } = change;
  const findAutoscaler = async () => (await canaryStrategyOf(kind)?.autoscaler(object, api)) ?? null;
  // Before the template is replaced, which may delete the revision that has it.
  const isLeft = Boolean(inFlight) && workload.inFlight === null && workload.releases !== undefined;
  if (isLeft || claim.releases !== undefined) await keepTemplate(object, kind.resource, api);
  // Also of a claim that waits for its hook: the revision of the target is later than that.
  const revision = inFlight ? await claimedRevision(target, inFlight, api) : {};
  const changesPods = body?.spec !== undefined || Boolean(canary) || (canary === null && claim.hasCanary);
  if (!inFlight || !changesPods) {
    // A release follows what it ends, and a claim that another execution takes over follows its fence.
    const unpatched = (await changeWorkload(target, change, body, api)) ?? object;
    // A canary that begins again is one of the template as it is now.
    const noted = canary ? { template: hashTemplate(unpatched), autoscaler: await findAutoscaler() } : {};
    await write(record, { ...recorded, ...releaseIgnored(target, change) }, { ...claim, ...revision, ...noted });
    if (claim.releases !== undefined) await pruneTemplates(object, claim.releases, api);
    return refuseRewritten(inFlight);
  }
  const { restart, ...claiming } = recorded;
  const autoscaler = canary ? await findAutoscaler() : null;
  const claimed = await write(
    record,
    { ...claiming, inFlight: { ...inFlight, isApplied: false } },
    { ...claim, ...revision, autoscaler },
  );
  const changed = await changeWorkload(target, change, body, api);
  const noted = changed === null ? {} : { template: hashTemplate(changed) };
  const answered = asAnswered(inFlight, change, body, changed);
  const applied = { inFlight: { ...answered, isApplied: true }, ...(restart === undefined ? {} : { restart }) };
  await write(claimed, applied, { ...claim, ...noted, hasCanary: claim.hasCanary && canary !== null });
  refuseRewritten(answered);
}

/** Returns all releases after a change that records one: its snapshot is the newest revision with its pod template. */
async function releasesAfter<T extends BuiltInObject>(
  { object, kind, workload }: BuiltInTarget<T>,
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
  { object, kind, autoUpdate }: BuiltInTarget<T>,
  { phase, target }: InFlight,
  api: KubernetesApi,
): Promise<Pick<ClaimContext, "targetRevision">> {
  if (isTargetOf(autoUpdate?.status?.update, target) || phase === "restart" || phase === "rollback") return {};
  return { targetRevision: await readLatestRevision(object, kind.resource, api) };
}

/** Reports whether a change only removes a canary that is left. */
export function isOnlyCleanup({ isCanaryLeft }: Workload, { canary, ...others }: Change): boolean {
  return isCanaryLeft && canary === null && Object.keys(others).length === 0;
}

/** No analysis judged a canary that is left: the pods go back to the image before it, not on to that of the canary. */
async function restoreBefore<T extends BuiltInObject>(
  { object, kind, workload }: BuiltInTarget<T>,
  change: Change,
  api: KubernetesApi,
): Promise<Change> {
  const image = (await canaryStrategyOf(kind)?.imageBefore(object, api)) ?? null;
  return image === null || !isSameRepository(image, workload.image ?? "") ? change : { ...change, image };
}

/** A claim that is not of this workload, or of a repository that it does not track, is removed with the next change. */
function releaseIgnored<T extends BuiltInObject>(
  { autoUpdate, workload }: BuiltInTarget<T>,
  { inFlight }: Change,
): Change {
  const isIgnored = inFlight === undefined && workload.inFlight === null && autoUpdate?.status?.update !== undefined;
  return isIgnored ? { inFlight: null } : {};
}

/** Not of a template that the change writes. */
function observedContainer(object: BuiltInObject, change: Change): Pick<ClaimContext, "observed"> {
  const { name, image } = primaryContainer(object) ?? {};
  const { template, pins, written } = change;
  const isWritten = Boolean(change.image) || [template, pins, written].some((one) => one !== undefined);
  return name === undefined || image === undefined || isWritten ? {} : { observed: { name, image } };
}

function claimContext<T extends BuiltInObject>(target: BuiltInTarget<T>, change: Change): ClaimContext {
  const { nextStepSeconds = 0 } = change;
  const { object, workload, settings } = target;
  const seconds = workload.policy.healthTimeoutSeconds + claimMarginSeconds + nextStepSeconds;
  return {
    holder: settings.holder.id,
    expiresAt: secondsAfter(settings.now(), seconds),
    targetUID: object.metadata.uid,
    targetGeneration: object.metadata.generation ?? 1,
    hasCanary: hasCanary(target),
    ...(workload.inFlight === null ? { tracked: recordTargetOf(object.metadata.uid, "", workload.source) } : {}),
    ...observedContainer(object, change),
    moved: movedContainers(object, change),
  };
}
