import type { KubeConfig } from "@kubernetes/client-node";
import { createKubernetesNodePools } from "../adapters/kubernetes/node-pools/node-pools.ts";
import type { NodePools } from "../ports/node-pools.ts";
import type { AdapterOptions } from "./open-aws.ts";
import { openInCluster } from "./open-kube-config.ts";

/** Opens the node pools of the cluster of the settings. Throws what opening the cluster throws. */
export async function openNodePools(options: AdapterOptions): Promise<NodePools> {
  const { settings, now } = options;
  const { usePullSecrets: readsPullSecrets } = settings.nodePools;
  const open = (kubeConfig: KubeConfig) => createKubernetesNodePools({ kubeConfig, readsPullSecrets, now });
  return openInCluster(options, open, async (source) => {
    const { reconnectingNodePools } = await import("../adapters/aws/secrets-manager/reconnecting-node-pools.ts");
    return reconnectingNodePools(source);
  });
}
