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
import type { Api } from "../rules/api.ts";
import { carryOut, podsOf, revisionsOf } from "./carry-out.ts";
import { reconcileClaw } from "./claw.ts";
import { planDaemonSet } from "./daemon-set.ts";
import { planDeployment } from "./deployment.ts";
import { reconcileBudget } from "./disruption.ts";
import { reconcileNamespace } from "./namespace.ts";
import { planStatefulSet } from "./stateful-set.ts";
import type { WorkloadObject } from "./workload.ts";

/** Does what the controller of the object's kind would do now; most kinds have none. */
export function reconcile(api: Api, resource: Resource, object: KubeObject): void {
  if (resource === namespaces) return reconcileNamespace(api, object);
  if (resource === podDisruptionBudgets) return reconcileBudget(api, object);
  if (resource.group === "claw.prismer.ai" && resource.kind === "Claw") return reconcileClaw(api, object);
  if (object.metadata.deletionTimestamp !== undefined) return;
  const workload = object as WorkloadObject;
  if (resource === deployments)
    return carryOut(api, resource, object, planDeployment(workload, podsOf(api, object), api.now()));
  if (resource === statefulSets) {
    return carryOut(api, resource, object, planStatefulSet(workload, podsOf(api, object), revisionsOf(api, workload)));
  }
  if (resource !== daemonSets) return;
  carryOut(api, resource, object, planDaemonSet(workload, podsOf(api, object), api.store.list(nodes, null)));
}
