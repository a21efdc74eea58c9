import type { KubeObject } from "../objects.ts";
import { pods } from "../resources.ts";
import type { Api } from "../rules/api.ts";
import type { Change } from "../store/change-log.ts";
import type { Kubelet } from "./kubelet.ts";
import { nodeOf, schedule } from "./scheduler.ts";
import type { Task } from "./task.ts";

/** What is to be done for a pod that has changed: it is bound, started once it is bound, and ended once it is marked. */
export function podTasks(api: Api, kubelet: Kubelet, { type, object, previous }: Change): readonly Task[] {
  if (type === "DELETED") return [];
  if (!isBound(object)) return [bindingTask(api, object)];
  const hasBecome = (is: (pod: KubeObject) => boolean) => is(object) && !(previous && is(previous));
  const { uid } = object.metadata;
  const tasks: Task[] = [];
  if (hasBecome(isBound)) tasks.push([`start ${uid}`, forOneThatIsLeft(api, object, (pod) => kubelet.start(pod))]);
  if (hasBecome(isEnding)) tasks.push([`end ${uid}`, forOneThatIsLeft(api, object, (pod) => kubelet.end(pod))]);
  return tasks;
}

/** For every pod that found no node so far. */
export function bindingTasks(api: Api): readonly Task[] {
  return api.store
    .list(pods, null)
    .filter((pod) => !isBound(pod))
    .map((pod) => bindingTask(api, pod));
}

function bindingTask(api: Api, pod: KubeObject): Task {
  return [
    `bind ${pod.metadata.uid}`,
    forOneThatIsLeft(api, pod, (current) => isBound(current) || schedule(api, current)),
  ];
}

/** By the time a task is done its pod may be gone, or another may have its name. */
function forOneThatIsLeft(api: Api, { metadata }: KubeObject, act: (pod: KubeObject) => unknown): () => void {
  return () => {
    const current = api.store.get(pods, metadata.namespace ?? "", metadata.name);
    if (current?.metadata.uid === metadata.uid) act(current);
  };
}

function isBound(pod: KubeObject): boolean {
  return nodeOf(pod) !== null;
}

function isEnding({ metadata: { deletionGracePeriodSeconds = 0 } }: KubeObject): boolean {
  return deletionGracePeriodSeconds > 0;
}
