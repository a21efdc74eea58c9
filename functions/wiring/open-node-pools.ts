import { kubernetesNodePools } from "../adapters/kubernetes/node-pools/node-pools.ts";
import type { NodePools } from "../ports/node-pools.ts";
import { openKubeConfig, type Opening } from "./open-cluster.ts";

/** The node pools of the cluster that the settings lead to. Throws what opening the cluster throws. */
export async function openNodePools({ settings, aws, now }: Omit<Opening, "name">): Promise<NodePools> {
  const { pullSecrets: readsPullSecrets } = settings.nodePools;
  return kubernetesNodePools({ kubeConfig: await openKubeConfig(settings.access, aws, now), readsPullSecrets, now });
}
