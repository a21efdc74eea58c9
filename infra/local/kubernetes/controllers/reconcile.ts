import type { KubeObject } from "../objects.ts";
import {
  daemonSets,
  deployments,
  namespaces,
  nodes,
  podDisruptionBudgets,
  replicaSets,
  statefulSets,
  type Resource,
} from "../resources.ts";
import { refOf, type Api } from "../verbs/context.ts";
import { deleteObject } from "../verbs/delete.ts";
import { applyPlan, podsOf } from "./apply-plan.ts";
import { reconcileClaw } from "./claw.ts";
import { planDaemonSet } from "./daemon-set.ts";
import { planDeployment } from "./deployment.ts";
import { reconcileBudget } from "./disruption.ts";
import { ensureReplicaSet, ensureRevisions, pruneRevisions, replicaSetsOf, updateReplicaSets } from "./revisions.ts";
import { planStatefulSet } from "./stateful-set.ts";
import type { WorkloadObject } from "./workload.ts";

/** Runs the controller of the object's kind once; most kinds have none. */
export function reconcile(api: Api, resource: Resource, object: KubeObject): void {
  if (resource === namespaces) return reconcileNamespace(api, object);
  if (resource === podDisruptionBudgets) return reconcileBudget(api, object);
  if (resource.group === "claw.prismer.ai" && resource.kind === "Claw") return reconcileClaw(api, object);
  if (object.metadata.deletionTimestamp !== undefined) return;
  const workload = object as WorkloadObject;
  if (resource === deployments) return reconcileDeployment(api, workload);
  if (resource === replicaSets) return reconcileOwner(api, object);
  if (resource !== statefulSets && resource !== daemonSets) return;
  const revisions = ensureRevisions(api, resource, workload);
  const pods = podsOf(api, object);
  const plan =
    resource === statefulSets
      ? planStatefulSet(workload, pods, revisions)
      : planDaemonSet(workload, pods, api.store.list(nodes, null));
  applyPlan(api, resource, object, plan);
  pruneRevisions(api, workload, podsOf(api, object));
}

function reconcileDeployment(api: Api, deployment: WorkloadObject): void {
  const replicaSet = ensureReplicaSet(api, deployment);
  const pods = () => podsOf(api, ...replicaSetsOf(api, deployment));
  applyPlan(api, deployments, deployment, planDeployment(deployment, replicaSet, pods(), api.now()));
  updateReplicaSets(api, deployment, pods());
}

/** The pods of a ReplicaSet are those of its Deployment. */
function reconcileOwner(api: Api, { metadata }: KubeObject): void {
  for (const { kind, name, uid } of metadata.ownerReferences ?? []) {
    const owner = kind === "Deployment" ? api.store.get(deployments, metadata.namespace ?? "", name) : undefined;
    if (owner?.metadata.uid === uid) reconcile(api, deployments, owner);
  }
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
