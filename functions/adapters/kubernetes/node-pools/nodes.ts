import type { CoreV1Api } from "@kubernetes/client-node";
import type { KubeNode, PoolNode } from "../../../domain/node-pool/types.ts";
import type { NodesForm } from "../../../ports/node-pools.ts";
import { asMetadataList } from "../api.ts";
import type { ClusterScopedApi } from "../cluster-scoped.ts";
import { pageSize } from "../pages.ts";
import type { Options } from "../requests.ts";
import { type BootcNodeObject, readBootcNode } from "./bootc-node-object.ts";
import { type NodeObject, readNode } from "./node-object.ts";
import { bootcNodeResource } from "./resources.ts";
import { typedItems } from "./typed-list.ts";

/** Every Node that is asked for and every BootcNode, joined by their names. */
export async function listPoolNodes(
  form: NodesForm,
  core: CoreV1Api,
  api: ClusterScopedApi,
  options: Options,
): Promise<readonly PoolNode[]> {
  const [nodes, objects] = await Promise.all([
    listNodes(form, core, options),
    api.list<BootcNodeObject>(bootcNodeResource),
  ]);
  const bootcNodes = new Map(objects.map((object) => [object.metadata.name, readBootcNode(object)]));
  const names = form === "cordoned" ? nodes.keys() : new Set([...nodes.keys(), ...bootcNodes.keys()]);
  return [...names].map((name) => ({
    name,
    node: nodes.get(name) ?? null,
    bootcNode: bootcNodes.get(name) ?? null,
  }));
}

/** A Node names every image it has: what is not read of it is let go page by page. */
async function listNodes(form: NodesForm, core: CoreV1Api, options: Options): Promise<ReadonlyMap<string, KubeNode>> {
  const headers = form === "outline" ? { Accept: asMetadataList } : {};
  const selection = form === "cordoned" ? { fieldSelector: "spec.unschedulable=true" } : {};
  const list = (paging: object) => core.listNode({ ...paging, ...selection, limit: pageSize }, options(headers));
  const found = new Map<string, KubeNode>();
  for await (const items of typedItems<NodeObject>(list, "list nodes")) {
    for (const item of items) found.set(item.metadata.name, readNode(item, form));
  }
  return found;
}
