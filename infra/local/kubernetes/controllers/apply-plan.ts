import { isFields, type KubeObject } from "../objects.ts";
import { pods, type Resource } from "../resources.ts";
import { refOf, type Api } from "../verbs/context.ts";
import { create } from "../verbs/create.ts";
import { deleteObject } from "../verbs/delete.ts";
import { patch } from "../verbs/update.ts";
import type { Plan } from "./workload.ts";

/** Returns the pods of these owners, which are in one namespace. */
export function podsOf(api: Api, ...owners: readonly KubeObject[]): readonly KubeObject[] {
  return api.store.listOwned(
    pods,
    owners.map(({ metadata }) => metadata.uid),
  );
}

/** Writes the status, then deletes and creates pods. A write without changes enqueues nothing, so reconciling terminates. */
export function applyPlan(api: Api, resource: Resource, workload: KubeObject, plan: Plan): void {
  const absent = Object.keys(isFields(workload["status"]) ? workload["status"] : {}).filter(
    (field) => !(field in plan.status),
  );
  const status = { ...Object.fromEntries(absent.map((field) => [field, null])), ...plan.status };
  patch(api, refOf(resource, workload), "status", { status }, "application/merge-patch+json");
  for (const pod of plan.remove) deleteObject(api, refOf(pods, pod), {});
  for (const input of plan.create) create(api, pods, workload.metadata.namespace ?? "", input);
}
