import type { CoreV1Api } from "@kubernetes/client-node";
import type { KubeNode, PoolNode } from "../../../domain/node-pool/node/bootc-node.ts";
import type { NodeScope } from "../../../ports/node-pools.ts";
import { asMetadataList } from "../api.ts";
import type { ClusterScopedApi } from "../cluster-scoped.ts";
import type { RequestOptions } from "../requests.ts";
import { type BootcNodeObject, readBootcNode } from "./bootc-node-object.ts";
import { type NodeObject, readNode } from "./node-object.ts";
import { bootcNodeResource } from "./resources.ts";
import { listTypedItems } from "./typed-list.ts";

/** Lists the Nodes of a scope and every BootcNode, joined by name. */
export async function listPoolNodes(
  scope: NodeScope,
  core: CoreV1Api,
  api: ClusterScopedApi,
  options: RequestOptions,
): Promise<readonly PoolNode[]> {
  const [nodes, objects] = await Promise.all([
    listNodes(scope, core, options),
    api.list<BootcNodeObject>(bootcNodeResource),
  ]);
  const bootcNodes = new Map(objects.map((object) => [object.metadata.name, readBootcNode(object)]));
  const names = scope === "cordoned" ? nodes.keys() : new Set([...nodes.keys(), ...bootcNodes.keys()]);
  return [...names].map((name) => ({ name, node: nodes.get(name) ?? null, bootcNode: bootcNodes.get(name) ?? null }));
}

/** A Node lists all its images: each page is reduced before the next is read. */
async function listNodes(
  scope: NodeScope,
  core: CoreV1Api,
  options: RequestOptions,
): Promise<ReadonlyMap<string, KubeNode>> {
  const headers = scope === "metadata" ? { Accept: asMetadataList } : {};
  const selection = scope === "cordoned" ? { fieldSelector: "spec.unschedulable=true" } : {};
  const list = (paging: object) => core.listNode({ ...paging, ...selection }, options(headers));
  const found = new Map<string, KubeNode>();
  for await (const items of listTypedItems<NodeObject>(list, "list nodes")) {
    for (const item of items) found.set(item.metadata.name, readNode(item, scope));
  }
  return found;
}
