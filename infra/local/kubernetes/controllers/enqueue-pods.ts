import type { KubeObject } from "../objects.ts";
import { pods } from "../resources.ts";
import type { Api } from "../verbs/context.ts";
import type { StoredChange } from "../store/watch-cache.ts";
import type { Kubelet } from "./kubelet.ts";
import { nodeOf, schedule } from "./scheduler.ts";
import type { WorkItem } from "./work-item.ts";

/** Returns the work for a changed pod: bind it, start it once it is bound, and terminate it once it is deleted. */
export function podWorkItems(
  api: Api,
  kubelet: Kubelet,
  { type, object, previous }: StoredChange,
): readonly WorkItem[] {
  if (type === "DELETED") return [];
  if (!isBound(object)) return [bindingItem(api, object)];
  const changedTo = (is: (pod: KubeObject) => boolean) => is(object) && !(previous && is(previous));
  const { uid } = object.metadata;
  const items: WorkItem[] = [];
  if (changedTo(isBound)) items.push([`start ${uid}`, ifStillExists(api, object, (pod) => kubelet.start(pod))]);
  if (changedTo(isTerminating)) items.push([`end ${uid}`, ifStillExists(api, object, (pod) => kubelet.terminate(pod))]);
  return items;
}

/** Returns the work to bind every unbound pod. */
export function bindingWorkItems(api: Api): readonly WorkItem[] {
  return api.store
    .list(pods, null)
    .filter((pod) => !isBound(pod))
    .map((pod) => bindingItem(api, pod));
}

function bindingItem(api: Api, pod: KubeObject): WorkItem {
  return [`bind ${pod.metadata.uid}`, ifStillExists(api, pod, (current) => isBound(current) || schedule(api, current))];
}

/** Returns a function that calls `act` with the current pod, unless it was deleted or recreated. */
function ifStillExists(api: Api, { metadata }: KubeObject, act: (pod: KubeObject) => unknown): () => void {
  return () => {
    const current = api.store.get(pods, metadata.namespace ?? "", metadata.name);
    if (current?.metadata.uid === metadata.uid) act(current);
  };
}

function isBound(pod: KubeObject): boolean {
  return nodeOf(pod) !== null;
}

function isTerminating({ metadata: { deletionGracePeriodSeconds = 0 } }: KubeObject): boolean {
  return deletionGracePeriodSeconds > 0;
}
