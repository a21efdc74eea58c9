import type { Workload } from "../../../domain/workload/workload.ts";
import type { KubernetesObject, Resource } from "../objects.ts";
import { autoUpdateName } from "../../../domain/workload/record/auto-update-name.ts";
import { resource } from "./object.ts";

/** The problem of every workload in a cluster without the CRD. */
export const crdMissing =
  "the CustomResourceDefinition autoupdates.pawl.dev is not installed, so no update can be recorded; " +
  "run kubectl apply -k infra/cluster/crds";

/** Returns a workload whose updates cannot be recorded, for this reason. Nothing is written to it or started for it. */
export function withoutRecord(workload: Workload, reason: string): Workload {
  return {
    ...workload,
    problems: [{ field: null, code: "NotRecordable", text: reason }],
    record: { ...workload.record, state: "unavailable" },
  };
}

/** Returns the problem of a workload if an AutoUpdate with another target has the name of its own. */
export function nameTakenReason({ metadata }: KubernetesObject, { kind }: Resource): string {
  const name = autoUpdateName({ kind, name: metadata.name });
  return (
    `${resource.kind} ${metadata.namespace}/${name} has another target, so no update can be recorded; ` +
    "delete it or fix its spec.targetRef"
  );
}
