import type { Workload } from "../../../domain/workload/workload.ts";
import type { KubernetesObject, Resource } from "../objects.ts";
import type { AutoUpdates } from "./list.ts";
import { autoUpdateName, groupOf, resource } from "./object.ts";

/** The problem of every workload in a cluster without the CRD. */
export const crdMissing =
  "the CustomResourceDefinition autoupdates.pawl.dev is not installed, so no update can be recorded; " +
  "run kubectl apply -k infra/cluster/crds";

/** Returns a workload whose updates cannot be recorded, for this reason. Nothing is written to it or started for it. */
export function withoutRecord(workload: Workload, reason: string): Workload {
  return { ...workload, problems: [reason], record: { ...workload.record, state: "unavailable" } };
}

/** Returns the problem of a workload if an AutoUpdate with another target has the name of its own. */
export function nameTakenReason({ metadata }: KubernetesObject, { kind }: Resource): string {
  const name = autoUpdateName({ kind, name: metadata.name });
  return (
    `${resource.kind} ${metadata.namespace}/${name} has another target, so no update can be recorded; ` +
    "delete it or fix its spec.targetRef"
  );
}

/**
 * Returns a function that reports whether an AutoUpdate with another target has the name of a workload's own. `targets` are the
 * kinds that use AutoUpdates.
 */
export function nameCheck(
  autoUpdates: AutoUpdates,
  targets: readonly Resource[],
): (object: KubernetesObject, target: Resource) => boolean {
  const taken = new Set<string>();
  for (const { metadata, spec } of autoUpdates.rest()) {
    const { apiVersion, kind } = spec.targetRef;
    const isSupported = targets.some((target) => target.kind === kind && target.group === groupOf(apiVersion));
    if (isSupported && metadata.name === autoUpdateName(spec.targetRef)) continue;
    taken.add(`${metadata.namespace}/${metadata.name}`);
  }
  return ({ metadata: { namespace, name } }, { kind }) => taken.has(`${namespace}/${autoUpdateName({ kind, name })}`);
}
