import type { Workload } from "../../../domain/workload/workload.ts";
import type { KubernetesApi } from "../api.ts";
import type { KubernetesObject } from "../objects.ts";
import { listJobRuns } from "../pods/job-runs.ts";
import { statefulSet } from "./built-in/stateful-set.ts";
import type { WorkloadKind } from "./kind.ts";
import type { BuiltInObject } from "./pod-template/pod-template.ts";
import { hasRevisions, listRevisionTemplates } from "./pod-template/revisions.ts";

/** Reads every image of the pod templates that controllers keep of a workload: none of them is in its record. */
export async function readImagesThatRan(
  workload: Workload,
  { kind, object }: { readonly kind: WorkloadKind; readonly object: KubernetesObject },
  api: KubernetesApi,
): Promise<readonly string[]> {
  if (kind.resource.kind === "CronJob") return (await listJobRuns(workload, api)).flatMap(({ image }) => image ?? []);
  const keeper = kind.findOwnSet
    ? { object: await kind.findOwnSet(object, api), resource: statefulSet.resource }
    : { object: object as BuiltInObject, resource: kind.resource };
  if (keeper.object === null || !hasRevisions(keeper.resource)) return [];
  const { own } = await listRevisionTemplates(keeper.object, keeper.resource, api);
  const containers = own.flatMap(({ template: { spec } }) => [...spec.containers, ...(spec.initContainers ?? [])]);
  return containers.flatMap(({ image }) => image ?? []);
}
