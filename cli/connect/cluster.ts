import type { Cluster } from "../../functions/ports/cluster.ts";
import { printStderr } from "../output/print.ts";
import type { ClusterOptions } from "../options/cluster.ts";
import type { DigestOptions } from "../options/digest.ts";
import { loadKubeConfig } from "./kube-config.ts";

export interface OpenCluster {
  readonly cluster: Cluster;
  /** The same cluster, listing only these namespaces. */
  readonly inNamespaces: (namespaces: readonly string[]) => Cluster;
  /** The namespace of workloads that are named without one. */
  readonly namespace: string;
  /** The URL of its API server. */
  readonly server: string;
}

/**
 * Opens the cluster without a request. Throws `InvalidInput` if the kubeconfig or the context does not exist. The client takes
 * longer to load than everything else: it is loaded here, so that help and usage errors do not need it.
 */
export async function connectCluster(options: ClusterOptions & DigestOptions): Promise<OpenCluster> {
  const { createKubernetesCluster } = await import("../../functions/adapters/kubernetes/cluster.ts");
  const kubeConfig = await loadKubeConfig(options);
  const context = kubeConfig.getContextObject(kubeConfig.getCurrentContext());
  const inNamespaces = (namespaces: readonly string[] | null) =>
    createKubernetesCluster({
      name: kubeConfig.getCurrentContext(),
      kubeConfig,
      namespaces,
      // An option that selects workloads does not say where Pawl is.
      freezeNamespace: "kube-system",
      labelSelector: options.selector,
      runtimeImages: options.runtimeImage ?? {},
      digests: {
        initialDigestPolicy: options.onFirstDigest ?? "restart",
        setsPullPolicy: options.digestPullPolicy === "Always",
      },
      releases: true,
      readsPullSecrets: options.pullSecrets === "true",
      configSecrets: options.configSecrets === "true",
      now: () => new Date(),
      warn: printStderr,
    });
  return {
    cluster: inNamespaces(options.namespace ?? null),
    inNamespaces,
    server: kubeConfig.getCurrentCluster()?.server ?? "",
    namespace: options.namespace?.[0] ?? context?.namespace ?? "default",
  };
}
