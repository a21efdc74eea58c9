import { annotations } from "../../../domain/workload/policy/annotations.ts";
import type { KubernetesApi } from "../api.ts";
import type { KubernetesObject, Resource } from "../objects.ts";
import { type AutoUpdate, resource } from "./object.ts";

/** A workload, and its AutoUpdate if there is one. */
interface Paused {
  readonly object: KubernetesObject;
  readonly target: Resource;
  readonly autoUpdate: AutoUpdate | null;
}

/** Writes a person's pause to the AutoUpdate, or to the annotation of the workload as long as there is none. Ends both. */
export async function writePaused(
  { object, target, autoUpdate }: Paused,
  isPaused: boolean,
  api: KubernetesApi,
): Promise<void> {
  if (autoUpdate !== null && (autoUpdate.spec.suspend ?? false) !== isPaused)
    await setSuspend(autoUpdate, isPaused, api);
  const { annotations: own, resourceVersion } = object.metadata;
  const isAnnotated = own?.[annotations.paused] !== undefined;
  if (isPaused ? autoUpdate !== null : !isAnnotated) return;
  const body = { metadata: { resourceVersion, annotations: { [annotations.paused]: isPaused ? "true" : null } } };
  await api.patch(target, object.metadata, "application/merge-patch+json", body);
}

/** Writes `spec.suspend`, with the rights of the person. Throws `Conflict`. */
export async function setSuspend(autoUpdate: AutoUpdate, isSuspended: boolean, api: KubernetesApi): Promise<void> {
  const { resourceVersion } = autoUpdate.metadata;
  const body = { metadata: { resourceVersion }, spec: { suspend: isSuspended ? true : null } };
  await api.patch(resource, autoUpdate.metadata, "application/merge-patch+json", body);
}
