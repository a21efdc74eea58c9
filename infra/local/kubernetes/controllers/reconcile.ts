import type { KubeObject } from "../objects.ts";
import {
  daemonSets,
  deployments,
  namespaces,
  nodes,
  podDisruptionBudgets,
  statefulSets,
  type Resource,
} from "../resources.ts";
import { refOf, type Api } from "../verbs/context.ts";
import { deleteObject } from "../verbs/delete.ts";
import { applyPlan, podsOf, ensureRevisions } from "./apply-plan.ts";
import { reconcileClaw } from "./claw.ts";
import { planDaemonSet } from "./daemon-set.ts";
import { planDeployment } from "./deployment.ts";
import { reconcileBudget } from "./disruption.ts";
import { planStatefulSet } from "./stateful-set.ts";
import type { WorkloadObject } from "./workload.ts";

/** Runs the controller of the object's kind once; most kinds have none. */
export function reconcile(api: Api, resource: Resource, object: KubeObject): void {
  if (resource === namespaces) return reconcileNamespace(api, object);
  if (resource === podDisruptionBudgets) return reconcileBudget(api, object);
  if (resource.group === "claw.prismer.ai" && resource.kind === "Claw") return reconcileClaw(api, object);
  if (object.metadata.deletionTimestamp !== undefined) return;
  const workload = object as WorkloadObject;
  if (resource === deployments)
    return applyPlan(api, resource, object, planDeployment(workload, podsOf(api, object), api.now()));
  if (resource === statefulSets) {
    return applyPlan(
      api,
      resource,
      object,
      planStatefulSet(workload, podsOf(api, object), ensureRevisions(api, workload)),
    );
  }
  if (resource !== daemonSets) return;
  applyPlan(api, resource, object, planDaemonSet(workload, podsOf(api, object), api.store.list(nodes, null)));
}

/** Deletes the content of a terminating namespace, and removes it when no object with a finalizer is left. */
function reconcileNamespace(api: Api, namespace: KubeObject): void {
  if (namespace.metadata.deletionTimestamp === undefined) return;
  const content = () =>
    api.resourceRegistry
      .all()
      .filter((resource) => resource.namespaced)
      .flatMap((resource) =>
        api.store.list(resource, namespace.metadata.name).map((object) => refOf(resource, object)),
      );
  for (const ref of content()) deleteObject(api, ref, {});
  if (content().length === 0) api.store.remove(namespaces, namespace);
}
