import type { KubeObject } from "../objects.ts";
import { daemonSets, namespaces, nodes, podDisruptionBudgets, pods, type Resource } from "../resources.ts";
import { placeOf, type Api, type Place } from "../rules/api.ts";
import { dependentsOf, destroy } from "../rules/destroy.ts";
import type { Change } from "../store/change-log.ts";
import type { BootcAgent } from "./bootc-agent.ts";
import type { Kubelet } from "./kubelet.ts";
import { bindingTasks, podTasks } from "./pod-tasks.ts";
import { reconcile } from "./reconcile.ts";
import type { Task } from "./task.ts";

/** What runs on the nodes. */
export interface Machines {
  readonly kubelet: Kubelet;
  /** null where they have none. */
  readonly agent: BootcAgent | null;
}

/** Who is to look again after a change. */
export function tasksAfter(api: Api, { kubelet, agent }: Machines, change: Change): readonly Task[] {
  const { type, resource, object } = change;
  const tasks: Task[] = owners(api, object).map((place) => reconcileTask(api, place));
  if (type !== "DELETED") tasks.push(reconcileTask(api, placeOf(resource, object)));
  if (type === "DELETED") tasks.push(...tasksAfterDeletion(api, resource, object));
  if (resource === pods) tasks.push(...podTasks(api, kubelet, change));
  if (resource === nodes) tasks.push(...allOf(api, daemonSets, null), ...bindingTasks(api));
  if (resource.namespaced) tasks.push(...allOf(api, podDisruptionBudgets, object.metadata.namespace ?? ""));
  if (agent && (resource === nodes || resource.kind === "BootcNode"))
    tasks.push([`agent ${object.metadata.name}`, () => agent.look(object.metadata.name)]);
  return tasks;
}

function tasksAfterDeletion(api: Api, resource: Resource, object: KubeObject): readonly Task[] {
  const { uid, namespace = "" } = object.metadata;
  const tasks: Task[] = resource === pods ? [] : [[`collect ${uid}`, () => collect(api, object)]];
  if (!resource.namespaced) return tasks;
  return [...tasks, reconcileTask(api, { resource: namespaces, namespace: "", name: namespace })];
}

function owners(api: Api, { metadata }: KubeObject): readonly Place[] {
  return (metadata.ownerReferences ?? []).flatMap(({ apiVersion, kind, name }) => {
    const resource = api.catalogue.findKind(apiVersion, kind);
    const namespace = resource?.namespaced ? (metadata.namespace ?? "") : "";
    return resource ? [{ resource, namespace, name }] : [];
  });
}

function allOf(api: Api, resource: Resource, namespace: string | null): readonly Task[] {
  return api.store.list(resource, namespace).map((object) => reconcileTask(api, placeOf(resource, object)));
}

function reconcileTask(api: Api, { resource, namespace, name }: Place): Task {
  const work = (): void => {
    const object = api.store.get(resource, namespace, name);
    if (object) reconcile(api, resource, object);
  };
  return [`${resource.group}/${resource.plural}/${namespace}/${name}`, work];
}

function collect(api: Api, owner: KubeObject): void {
  for (const { resource, object } of dependentsOf(api, owner)) {
    const survivors = object.metadata.ownerReferences?.filter(({ uid }) => uid !== owner.metadata.uid) ?? [];
    if (survivors.length === 0) destroy(api, placeOf(resource, object), {});
  }
}
