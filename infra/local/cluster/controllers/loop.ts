import { RequestRefused } from "../failure.ts";
import type { KubeObject } from "../objects.ts";
import { daemonSets, deployments, namespaces, nodes, pods, statefulSets, type Resource } from "../resources.ts";
import { placeOf, type Api, type Place } from "../rules/api.ts";
import { dependentsOf, destroy } from "../rules/destroy.ts";
import type { Change } from "../store/change-log.ts";
import { carryOut, podsOf, revisionsOf } from "./carry-out.ts";
import { reconcileClaw } from "./claw.ts";
import { planDaemonSet } from "./daemon-set.ts";
import { planDeployment } from "./deployment.ts";
import type { Kubelet } from "./kubelet.ts";
import { reconcileNamespace } from "./namespace.ts";
import { planStatefulSet } from "./stateful-set.ts";
import type { WorkloadObject } from "./workload.ts";

export interface Controllers {
  /** Works until nothing is left to do before time passes. */
  settle(): void;
  stop(): void;
}

/** Wakes, after every change, whoever it concerns. All of it happens between two requests, so it never meets a conflict. */
export function startControllers(api: Api, kubelet: Kubelet): Controllers {
  const waiting = new Map<string, () => void>();
  let scheduled: NodeJS.Immediate | undefined;

  const settle = (): void => {
    scheduled = undefined;
    for (let next = waiting.entries().next(); !next.done; next = waiting.entries().next()) {
      const [key, work] = next.value;
      waiting.delete(key);
      attempt(work);
    }
  };
  const unsubscribe = api.store.subscribe((change) => {
    for (const [key, work] of tasksAfter(api, kubelet, change)) waiting.set(key, work);
    scheduled ??= setImmediate(settle);
  });
  return {
    settle,
    stop() {
      unsubscribe();
      clearImmediate(scheduled);
      waiting.clear();
    },
  };
}

/** A controller that is refused, as in a namespace that ends, tries again at the next change. */
function attempt(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof RequestRefused)) throw error;
  }
}

type Task = readonly [key: string, work: () => void];

function tasksAfter(api: Api, kubelet: Kubelet, { type, resource, object }: Change): readonly Task[] {
  const tasks: Task[] = owners(api, object).map((place) => reconcileTask(api, place));
  if (type !== "DELETED") tasks.push(reconcileTask(api, placeOf(resource, object)));
  if (type === "ADDED" && resource === pods)
    tasks.push([`start ${object.metadata.uid}`, () => startPod(api, kubelet, object)]);
  if (type === "DELETED" && resource !== pods)
    tasks.push([`collect ${object.metadata.uid}`, () => collect(api, object)]);
  if (type === "DELETED" && resource.namespaced) {
    tasks.push(reconcileTask(api, { resource: namespaces, namespace: "", name: object.metadata.namespace ?? "" }));
  }
  if (resource !== nodes) return tasks;
  return [...tasks, ...api.store.list(daemonSets, null).map((set) => reconcileTask(api, placeOf(daemonSets, set)))];
}

function owners(api: Api, { metadata }: KubeObject): readonly Place[] {
  return (metadata.ownerReferences ?? []).flatMap(({ apiVersion, kind, name }) => {
    const resource = api.catalogue.findKind(apiVersion, kind);
    return resource ? [{ resource, namespace: metadata.namespace ?? "", name }] : [];
  });
}

function reconcileTask(api: Api, { resource, namespace, name }: Place): Task {
  const work = (): void => {
    const object = api.store.get(resource, namespace, name);
    if (object) reconcile(api, resource, object);
  };
  return [`${resource.group}/${resource.plural}/${namespace}/${name}`, work];
}

function reconcile(api: Api, resource: Resource, object: KubeObject): void {
  if (resource === namespaces) return reconcileNamespace(api, object);
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

function startPod(api: Api, kubelet: Kubelet, pod: KubeObject): void {
  const current = api.store.get(pods, pod.metadata.namespace ?? "", pod.metadata.name);
  if (current?.metadata.uid === pod.metadata.uid) kubelet.start(current);
}

function collect(api: Api, owner: KubeObject): void {
  for (const { resource, object } of dependentsOf(api, owner)) {
    const survivors = object.metadata.ownerReferences?.filter(({ uid }) => uid !== owner.metadata.uid) ?? [];
    if (survivors.length === 0) destroy(api, placeOf(resource, object), {});
  }
}
