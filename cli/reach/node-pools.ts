import type { NodePools } from "../../functions/ports/node-pools.ts";
import type { ContextOptions } from "./cluster-options.ts";
import { loadKubeConfig } from "./kube-config.ts";

/** Throws `WrongInput` where the kubeconfig or the context does not exist. Speaks to no cluster yet, and never reads a secret. */
export async function openNodePools(options: ContextOptions): Promise<NodePools> {
  const { kubernetesNodePools } = await import("../../functions/adapters/kubernetes/node-pools/node-pools.ts");
  const kubeConfig = await loadKubeConfig(options);
  return kubernetesNodePools({ kubeConfig, readsPullSecrets: false, now: () => new Date() });
}
