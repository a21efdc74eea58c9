import { isFields, type KubeObject } from "../objects.ts";
import { controllerRevisions, pods, type Resource } from "../resources.ts";
import { refOf, type Api } from "../verbs/context.ts";
import { create } from "../verbs/create.ts";
import { deleteObject } from "../verbs/delete.ts";
import { patch } from "../verbs/update.ts";
import type { Revisions } from "./stateful-set.ts";
import { ownerReferenceTo, templateHash, type Plan, type PodTemplate, type WorkloadObject } from "./workload.ts";

export function podsOf(api: Api, owner: KubeObject): readonly KubeObject[] {
  return api.store
    .list(pods, owner.metadata.namespace ?? "")
    .filter((pod) => pod.metadata.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid));
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

/** Creates the ControllerRevision of the current template if needed, and returns access to all revisions, as in Kubernetes. */
export function ensureRevisions(api: Api, set: WorkloadObject): Revisions {
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
      const stored = api.store.get(controllerRevisions, namespace, revision);
      return (stored?.["data"] as { template: PodTemplate } | undefined)?.template ?? set.spec.template;
    },
  };
}
