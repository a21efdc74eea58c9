import type { NodePools } from "../../functions/ports/node-pools.ts";
import type { ClusterOptions, ContextOptions } from "../options/cluster.ts";
import { loadKubeConfig } from "./kube-config.ts";
import type { NodePoolOptions } from "../options/node-pool.ts";

/** Opens the node pools without a request. Throws `InvalidInput` if the kubeconfig or the context does not exist. */
export async function connectNodePools(
  options: ContextOptions & Pick<NodePoolOptions, "nodePoolPullSecrets">,
): Promise<NodePools> {
  const { createKubernetesNodePools } = await import("../../functions/adapters/kubernetes/node-pools/node-pools.ts");
  const kubeConfig = await loadKubeConfig(options);
  const readsPullSecrets = options.nodePoolPullSecrets === true;
  return createKubernetesNodePools({ kubeConfig, readsPullSecrets, now: () => new Date() });
}

/** Returns the names of the node pools with the labels of `-l`; null without it. The state of a pool depends on the others, too. */
export async function selectedPools({
  selector,
  ...options
}: ContextOptions & Pick<ClusterOptions, "selector">): Promise<ReadonlySet<string> | null> {
  if (selector === undefined) return null;
  const { CustomObjectsApi } = await import("@kubernetes/client-node");
  const { createClusterScopedApi } = await import("../../functions/adapters/kubernetes/cluster-scoped.ts");
  const { createRequestOptions } = await import("../../functions/adapters/kubernetes/requests.ts");
  const { poolResource } = await import("../../functions/adapters/kubernetes/node-pools/resources.ts");
  const objects = (await loadKubeConfig(options)).makeApiClient(CustomObjectsApi);
  const pools = await createClusterScopedApi(objects, createRequestOptions()).list(poolResource, selector);
  return new Set(pools.map(({ metadata }) => metadata.name));
}
