import { isFields, type KubeObject } from "../objects.ts";
import { controllerRevisions, pods, type Resource } from "../resources.ts";
import { placeOf, type Api } from "../rules/api.ts";
import { create } from "../rules/create.ts";
import { destroy } from "../rules/destroy.ts";
import { patch } from "../rules/update.ts";
import type { Revisions } from "./stateful-set.ts";
import { ownerReferenceTo, templateHash, type Plan, type PodTemplate, type WorkloadObject } from "./workload.ts";

export function podsOf(api: Api, owner: KubeObject): readonly KubeObject[] {
  return api.store
    .list(pods, owner.metadata.namespace ?? "")
    .filter((pod) => pod.metadata.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid));
}

/** Writes the status that was seen, then acts. A write that changes nothing wakes nobody, so this comes to rest. */
export function carryOut(api: Api, resource: Resource, workload: KubeObject, plan: Plan): void {
  const absent = Object.keys(isFields(workload["status"]) ? workload["status"] : {}).filter(
    (field) => !(field in plan.status),
  );
  const status = { ...Object.fromEntries(absent.map((field) => [field, null])), ...plan.status };
  patch(api, placeOf(resource, workload), "status", { status }, "application/merge-patch+json");
  for (const pod of plan.remove) destroy(api, placeOf(pods, pod), {});
  for (const draft of plan.create) create(api, pods, workload.metadata.namespace ?? "", draft);
}

/** Keeps every template that a StatefulSet has had as a ControllerRevision, where upstream keeps them too. */
export function revisionsOf(api: Api, set: WorkloadObject): Revisions {
  const namespace = set.metadata.namespace ?? "";
  const update = `${set.metadata.name}-${templateHash(set.spec.template)}`;
  if (!api.store.get(controllerRevisions, namespace, update)) {
    const metadata = { name: update, ownerReferences: [ownerReferenceTo(set)] };
    create(api, controllerRevisions, namespace, {
      metadata,
      revision: 1,
      data: { template: set.spec.template },
    });
  }
  return {
    update,
    templateOf(revision) {
      const kept = api.store.get(controllerRevisions, namespace, revision);
      return (kept?.["data"] as { template: PodTemplate } | undefined)?.template ?? set.spec.template;
    },
  };
}
