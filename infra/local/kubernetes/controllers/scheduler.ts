import { isFields, type Fields, type KubeObject } from "../objects.ts";
import { nodes, pods } from "../resources.ts";
import { refOf, type Api } from "../verbs/context.ts";
import { patch } from "../verbs/update.ts";
import { isReady } from "./workload.ts";

/** Returns the node that a pod is bound to; null for an unbound pod. */
export function nodeOf(pod: KubeObject): string | null {
  const { nodeName } = pod["spec"] as { readonly nodeName?: string };
  return nodeName || null;
}

/** Binds a pod to the schedulable node with the fewest pods. If there is none, the pod stays Pending until a node changes. */
export function schedule(api: Api, pod: KubeObject): void {
  const podsByNode = Map.groupBy(api.store.list(pods, null), nodeOf);
  const loadOf = (node: KubeObject) => podsByNode.get(node.metadata.name)?.length ?? 0;
  const [emptiest] = api.store
    .list(nodes, null)
    .filter((node) => isSchedulable(node, pod))
    .toSorted((a, b) => loadOf(a) - loadOf(b));
  if (!emptiest) return;
  const spec = { nodeName: emptiest.metadata.name };
  patch(api, refOf(pods, pod), "object", { spec }, "application/merge-patch+json");
}

function isSchedulable(node: KubeObject, pod: KubeObject): boolean {
  const { unschedulable = false } = (node["spec"] ?? {}) as { readonly unschedulable?: boolean };
  return !unschedulable && isReady(node) && matchesNodeSelector(pod["spec"] as Fields, node);
}

/** Reports whether a node's labels match a pod's nodeSelector. Affinities are not supported. */
export function matchesNodeSelector(podSpec: Fields, { metadata: { labels = {} } }: KubeObject): boolean {
  const selector = isFields(podSpec["nodeSelector"]) ? podSpec["nodeSelector"] : {};
  return Object.entries(selector).every(([key, value]) => labels[key] === value);
}
