import type { KubernetesApi } from "../api.ts";
import { apiVersionOf, type KubernetesObject, type Resource } from "../objects.ts";
import { createState } from "../../../domain/state/state.ts";
import type { Change } from "../../../domain/workload/update/change.ts";
import { AdmissionDenied, Conflict, Forbidden } from "../../../ports/errors.ts";
import { assessStatus } from "./conditions.ts";
import { mergePatch } from "./merge-patch.ts";
import { autoUpdateName } from "../../../domain/workload/record/auto-update-name.ts";
import { type AutoUpdate, isManagedByPawl, managedByLabel, resource, autoUpdateKey } from "./object.ts";
import { ownRecords } from "./status/record-target.ts";
import { withRunning } from "./status/running-status.ts";
import { applyToStatus } from "./status/status.ts";
import { crdOutdated, isIndispensable, prunedFields } from "../pruned-fields.ts";
import type { ClaimContext } from "./status/update-status.ts";

/** Reads the AutoUpdate of a workload; null if it does not exist, and "taken" if one with another target has its name. */
export async function getAutoUpdate(
  object: KubernetesObject,
  target: Resource,
  api: KubernetesApi,
): Promise<AutoUpdate | "taken" | null> {
  const { namespace, name } = object.metadata;
  const targetRef = { apiVersion: apiVersionOf(target), kind: target.kind, name };
  const found = await api.get<AutoUpdate>(resource, namespace, autoUpdateName(targetRef));
  if (found === null) return null;
  return autoUpdateKey(namespace, found.spec.targetRef) === autoUpdateKey(namespace, targetRef) ? found : "taken";
}

/**
 * Creates the AutoUpdate of a workload that opted in by annotations. The workload owns it, and no label is copied: GitOps tools
 * take an object with their label for one of theirs. Throws `Conflict` if it exists by now.
 */
export async function createAutoUpdate(
  object: KubernetesObject,
  target: Resource,
  api: KubernetesApi,
): Promise<AutoUpdate> {
  const { namespace } = object.metadata;
  const owner = ownerOf(object, target);
  const targetRef = { apiVersion: owner.apiVersion, kind: owner.kind, name: owner.name };
  const created = await api.create<AutoUpdate>(resource, namespace, {
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    metadata: { name: autoUpdateName(targetRef), namespace, labels: managedByLabel, ownerReferences: [owner] },
    spec: { targetRef },
  });
  if (created === null)
    throw new Conflict(`AutoUpdate ${namespace}/${autoUpdateName(targetRef)} was created meanwhile`);
  return created;
}

/**
 * Makes a workload the owner of the AutoUpdate that Pawl created for it and a backup has restored, so that both are deleted together.
 * Returns it unchanged if the roles are those of an earlier version, which may not do so. Throws `Conflict`.
 */
export async function addOwner(
  autoUpdate: AutoUpdate,
  object: KubernetesObject,
  target: Resource,
  api: KubernetesApi,
): Promise<AutoUpdate> {
  const { resourceVersion } = autoUpdate.metadata;
  const body = { metadata: { resourceVersion, ownerReferences: [ownerOf(object, target)] } };
  try {
    const { metadata } = await api.patch<AutoUpdate>(
      resource,
      autoUpdate.metadata,
      "application/merge-patch+json",
      body,
    );
    return { ...autoUpdate, metadata };
  } catch (error) {
    if (error instanceof Forbidden || error instanceof AdmissionDenied) return autoUpdate;
    throw error;
  }
}

/** Without `blockOwnerDeletion`: it needs `update` on the owner's finalizers where the admission plugin is enabled. */
function ownerOf({ metadata: { name, uid } }: KubernetesObject, target: Resource) {
  return { apiVersion: apiVersionOf(target), kind: target.kind, name, uid, blockOwnerDeletion: false };
}

/** Deletes an AutoUpdate that Pawl created, unless it has changed since it was read. Does nothing to one that a person owns. */
export async function deleteAutoUpdate(autoUpdate: AutoUpdate, api: KubernetesApi): Promise<void> {
  if (isManagedByPawl(autoUpdate)) await api.delete(resource, autoUpdate.metadata, { ifUnchanged: true });
}

/** Writes the request of a person to the object that has the record, with the rights of that person. Throws `Conflict`. */
export async function writeRequestAnnotations(
  target: Resource,
  { metadata }: KubernetesObject,
  written: Readonly<Record<string, string>>,
  api: KubernetesApi,
): Promise<void> {
  const body = { metadata: { resourceVersion: metadata.resourceVersion, annotations: written } };
  await api.patch(target, metadata, "application/merge-patch+json", body);
}

/**
 * Writes what a change says to the status, if that differs. Returns the AutoUpdate after it. Throws `Conflict`, and `CrdOutdated` if the
 * CRD drops a field: nothing new is recorded or claimed then, but for this reason. An update in progress is judged by the fields that are stored.
 */
export async function writeStatus(
  autoUpdate: AutoUpdate,
  change: Change,
  claim: ClaimContext,
  api: KubernetesApi,
  now: Date,
): Promise<AutoUpdate> {
  const { metadata, status: before = {} } = autoUpdate;
  const generation = metadata.generation ?? 1;
  const tracked = claim.tracked && { ...claim.tracked, recordUID: metadata.uid };
  const own = tracked === undefined ? before : { ...ownRecords(before, tracked), target: tracked };
  const changed = withRunning(applyToStatus(own, change, claim, now), claim.observed, change.runningDigest);
  const assessed = assessStatus(own, changed, change, generation, now);
  const after = { ...changed, ...assessed, observedGeneration: generation };
  const status = mergePatch(before, after);
  if (status === null) return autoUpdate;
  const body = { metadata: { resourceVersion: metadata.resourceVersion }, status };
  const written = await api.patch<AutoUpdate>(resource, metadata, "application/merge-patch+json", body, "status");
  const pruned = prunedFields(status, written.status);
  if (pruned.some(isIndispensable) || (pruned.length > 0 && before.update === undefined)) {
    const outdated = crdOutdated(resource, pruned);
    const held = before.update === undefined ? createState(["NotEvaluated", "CrdOutdated"], outdated.message) : {};
    await restoreStatus(written, { ...before, ...held }, api);
    throw outdated;
  }
  return { ...written, status: after };
}

/** A claim that lost a field would be taken for one without. */
async function restoreStatus({ metadata, status = {} }: AutoUpdate, before: object, api: KubernetesApi): Promise<void> {
  const patch = mergePatch(status, before);
  const body = { metadata: { resourceVersion: metadata.resourceVersion }, status: patch };
  if (patch !== null) await api.patch(resource, metadata, "application/merge-patch+json", body, "status");
}
