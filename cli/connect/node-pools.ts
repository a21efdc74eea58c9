import type { NodePools } from "../../functions/ports/node-pools.ts";
import type { ContextOptions } from "../options/cluster.ts";
import { loadKubeConfig } from "./kube-config.ts";
import type { NodePoolOptions } from "../options/node-pool.ts";

/** Opens the node pools without a request. Throws `InvalidInput` if the kubeconfig or the context does not exist. */
export async function openNodePools(
  options: ContextOptions & Pick<NodePoolOptions, "nodePoolPullSecrets">,
): Promise<NodePools> {
  const { createKubernetesNodePools } = await import("../../functions/adapters/kubernetes/node-pools/node-pools.ts");
  const kubeConfig = await loadKubeConfig(options);
  const readsPullSecrets = options.nodePoolPullSecrets === true;
  return createKubernetesNodePools({ kubeConfig, readsPullSecrets, now: () => new Date() });
}
