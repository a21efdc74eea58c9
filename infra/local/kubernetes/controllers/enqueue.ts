import type { KubeObject } from "../objects.ts";
import { daemonSets, jobs, namespaces, nodes, podDisruptionBudgets, pods, type Resource } from "../resources.ts";
import { refOf, type Api, type ObjectRef } from "../verbs/context.ts";
import { dependentsOf, deleteObject } from "../verbs/delete.ts";
import type { StoredChange } from "../store/watch-cache.ts";
import type { BootcAgent } from "./nodes/bootc-agent.ts";
import type { Kubelet } from "./kubelet.ts";
import { bindingWorkItems, podWorkItems } from "./enqueue-pods.ts";
import { reconcile } from "./reconcile.ts";
import type { WorkItem } from "./work-item.ts";

/** The agents that run on the nodes. */
export interface NodeAgents {
  readonly kubelet: Kubelet;
  /** null if the nodes run no bootc daemon. */
  readonly bootcAgent: BootcAgent | null;
  /** Runs a new Job. */
  readonly runJob: (job: KubeObject) => void;
}

/** Returns the work that a change triggers. */
export function workItemsFor(
  api: Api,
  { kubelet, bootcAgent, runJob }: NodeAgents,
  change: StoredChange,
): readonly WorkItem[] {
  const { type, resource, object } = change;
  const items: WorkItem[] = owners(api, object).map((ref) => reconcileItem(api, ref));
  if (type !== "DELETED") items.push(reconcileItem(api, refOf(resource, object)));
  if (type === "DELETED") items.push(...workItemsForDeletion(api, resource, object));
  if (resource === pods) items.push(...podWorkItems(api, kubelet, change));
  if (resource === jobs && type === "ADDED") items.push([`job ${object.metadata.uid}`, () => runJob(object)]);
  if (resource === nodes) items.push(...reconcileAll(api, daemonSets, null), ...bindingWorkItems(api));
  if (resource.namespaced) items.push(...reconcileAll(api, podDisruptionBudgets, object.metadata.namespace ?? ""));
  if (bootcAgent && (resource === nodes || resource.kind === "BootcNode"))
    items.push([`agent ${object.metadata.name}`, () => bootcAgent.reconcile(object.metadata.name)]);
  return items;
}

function workItemsForDeletion(api: Api, resource: Resource, object: KubeObject): readonly WorkItem[] {
  const { uid, namespace = "" } = object.metadata;
  const items: WorkItem[] = resource === pods ? [] : [[`collect ${uid}`, () => collectGarbage(api, object)]];
  if (!resource.namespaced) return items;
  return [...items, reconcileItem(api, { resource: namespaces, namespace: "", name: namespace })];
}

function owners(api: Api, { metadata }: KubeObject): readonly ObjectRef[] {
  return (metadata.ownerReferences ?? []).flatMap(({ apiVersion, kind, name }) => {
    const resource = api.resourceRegistry.findKind(apiVersion, kind);
    const namespace = resource?.namespaced ? (metadata.namespace ?? "") : "";
    return resource ? [{ resource, namespace, name }] : [];
  });
}

function reconcileAll(api: Api, resource: Resource, namespace: string | null): readonly WorkItem[] {
  return api.store.list(resource, namespace).map((object) => reconcileItem(api, refOf(resource, object)));
}

function reconcileItem(api: Api, { resource, namespace, name }: ObjectRef): WorkItem {
  const work = (): void => {
    const object = api.store.get(resource, namespace, name);
    if (object) reconcile(api, resource, object);
  };
  return [`${resource.group}/${resource.plural}/${namespace}/${name}`, work];
}

function collectGarbage(api: Api, owner: KubeObject): void {
  for (const { resource, object } of dependentsOf(api, owner)) {
    const survivors = object.metadata.ownerReferences?.filter(({ uid }) => uid !== owner.metadata.uid) ?? [];
    if (survivors.length === 0) deleteObject(api, refOf(resource, object), {});
  }
}
