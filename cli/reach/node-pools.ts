import type { NodePools } from "../../functions/ports/node-pools.ts";
import type { ContextOptions } from "./cluster-options.ts";
import { loadKubeConfig } from "./kube-config.ts";
import type { NodePoolOptions } from "./node-pool-options.ts";

/** Throws `WrongInput` where the kubeconfig or the context does not exist. Speaks to no cluster yet. */
export async function openNodePools(
  options: ContextOptions & Pick<NodePoolOptions, "nodePoolPullSecrets">,
): Promise<NodePools> {
  const { kubernetesNodePools } = await import("../../functions/adapters/kubernetes/node-pools/node-pools.ts");
  const kubeConfig = await loadKubeConfig(options);
  const readsPullSecrets = options.nodePoolPullSecrets === true;
  return kubernetesNodePools({ kubeConfig, readsPullSecrets, now: () => new Date() });
}
