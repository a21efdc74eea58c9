import { KubeConfig } from "@kubernetes/client-node";
import {
  startEmbeddedCluster,
  type EmbeddedCluster,
  type EmbeddedClusterOptions,
} from "../../../infra/local/kubernetes/cluster.ts";

/** Starts an embedded cluster whose pods are ready immediately, unless their image is tagged `-bad`. */
export async function startCluster(
  options: Partial<EmbeddedClusterOptions> = {},
): Promise<EmbeddedCluster & { readonly kubeConfig: KubeConfig }> {
  const health = (image: string) => !image.endsWith("-bad");
  const cluster = await startEmbeddedCluster({ now: () => new Date(), secondsToReady: 0, health, ...options });
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromString(cluster.kubeconfig);
  return { ...cluster, kubeConfig };
}
