import type { KubeConfig } from "@kubernetes/client-node";
import { kubernetesNodePools } from "../adapters/kubernetes/node-pools/node-pools.ts";
import type { NodePools } from "../ports/node-pools.ts";
import type { Wiring } from "./open-aws.ts";
import { openInto } from "./open-kube-config.ts";

/** The node pools of the cluster that the settings lead to. Throws what opening the cluster throws. */
export async function openNodePools(wiring: Wiring): Promise<NodePools> {
  const { settings, now } = wiring;
  const { pullSecrets: readsPullSecrets } = settings.nodePools;
  const open = (kubeConfig: KubeConfig) => kubernetesNodePools({ kubeConfig, readsPullSecrets, now });
  return openInto(wiring, open, async (source) => {
    const { renewingNodePools } = await import("../adapters/secrets/renewing-node-pools.ts");
    return renewingNodePools(source);
  });
}
