import type { Cluster } from "../../functions/ports/cluster.ts";
import { say } from "../output/say.ts";
import type { ClusterOptions } from "./cluster-options.ts";
import type { FollowOptions } from "./follow-options.ts";
import { loadKubeConfig } from "./kube-config.ts";

export interface OpenCluster {
  readonly cluster: Cluster;
  /** Where a workload is meant that is written without its namespace. */
  readonly namespace: string;
}

/**
 * Throws `WrongInput` where the kubeconfig or the context does not exist. Speaks to no cluster yet. The client takes
 * longer to load than all the rest: it is loaded here, so that help and usage errors do without.
 */
export async function openCluster(options: ClusterOptions & FollowOptions): Promise<OpenCluster> {
  const { kubernetesCluster } = await import("../../functions/adapters/kubernetes/cluster.ts");
  const kubeConfig = await loadKubeConfig(options);
  const context = kubeConfig.getContextObject(kubeConfig.getCurrentContext());
  const cluster = kubernetesCluster({
    name: kubeConfig.getCurrentContext(),
    kubeConfig,
    namespaces: options.namespace ?? null,
    runtimeImages: options.runtimeImage ?? {},
    digests: {
      firstSight: options.digestBaseline === "running" ? "baseline" : "restart",
      setsPullPolicy: options.digestPullPolicy === "always",
    },
    readsPullSecrets: options.pullSecrets === "true",
    now: () => new Date(),
    warn: say,
  });
  return { cluster, namespace: options.namespace?.[0] ?? context?.namespace ?? "default" };
}
