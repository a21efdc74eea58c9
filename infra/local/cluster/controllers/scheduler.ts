import { isFields, type Fields, type KubeObject } from "../objects.ts";
import { nodes, pods } from "../resources.ts";
import { placeOf, type Api } from "../rules/api.ts";
import { patch } from "../rules/update.ts";
import { isReady } from "./workload.ts";

/** The node that a pod is bound to; null before that. */
export function nodeOf(pod: KubeObject): string | null {
  const { nodeName } = pod["spec"] as { readonly nodeName?: string };
  return nodeName || null;
}

/** Binds a pod to the emptiest node that may take it. Where there is none it stays Pending, until a node changes. */
export function schedule(api: Api, pod: KubeObject): void {
  const taken = Map.groupBy(api.store.list(pods, null), nodeOf);
  const loadOf = (node: KubeObject) => taken.get(node.metadata.name)?.length ?? 0;
  const [emptiest] = api.store
    .list(nodes, null)
    .filter((node) => mayTake(node, pod))
    .toSorted((a, b) => loadOf(a) - loadOf(b));
  if (!emptiest) return;
  const spec = { nodeName: emptiest.metadata.name };
  patch(api, placeOf(pods, pod), "object", { spec }, "application/merge-patch+json");
}

function mayTake(node: KubeObject, pod: KubeObject): boolean {
  const { unschedulable = false } = (node["spec"] ?? {}) as { readonly unschedulable?: boolean };
  return !unschedulable && isReady(node) && isChosen(pod["spec"] as Fields, node);
}

/** Whether a pod's nodeSelector is met by the node's labels; affinities are not looked at. */
export function isChosen(podSpec: Fields, { metadata: { labels = {} } }: KubeObject): boolean {
  const selector = isFields(podSpec["nodeSelector"]) ? podSpec["nodeSelector"] : {};
  return Object.entries(selector).every(([key, value]) => labels[key] === value);
}
