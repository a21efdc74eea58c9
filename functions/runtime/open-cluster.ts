import type { KubeConfig } from "@kubernetes/client-node";
import { createKubernetesCluster } from "../adapters/kubernetes/cluster.ts";
import type { DigestOptions } from "../adapters/kubernetes/kinds/digest/digest-tracking.ts";
import type { Cluster } from "../ports/cluster.ts";
import type { NodePools } from "../ports/node-pools.ts";
import type { PollLeaseObject } from "../ports/poll-lease.ts";
import { createClaimHolder } from "./claim-holder.ts";
import { withDeploymentFreezes } from "./deployment-freezes.ts";
import { withPeers } from "./peers.ts";
import type { DigestSettings } from "./settings.ts";
import type { AdapterOptions } from "./open-aws.ts";
import { openInCluster } from "./open-kube-config.ts";

/** Opens the cluster of the settings. Throws what reading a kubeconfig and calling EKS throw. */
export async function openCluster(options: AdapterOptions & { readonly name: string }): Promise<Cluster> {
  const { name, settings, now } = options;
  const {
    namespaces,
    runtimeImages,
    releases,
    hooks,
    jobMetrics,
    configSecrets,
    git,
    defaults,
    usePullSecrets: readsPullSecrets,
  } = settings;
  const digests = digestOptions(settings.digests);
  const holder = createClaimHolder(settings.claimHolder);
  const warn = (message: string) => process.emitWarning(message);
  const open = (kubeConfig: KubeConfig) =>
    createKubernetesCluster({
      name,
      kubeConfig,
      namespaces,
      runtimeImages,
      digests,
      releases,
      hooks,
      jobMetrics,
      configSecrets,
      git,
      defaults,
      holder,
      readsPullSecrets,
      now,
      warn,
    });
  const opened = withDeploymentFreezes(await openInCluster(options, open, ["list"]), options);
  const cluster = settings.peers.length === 0 ? opened : withPeers(opened, options);
  if (settings.registryLogins.length === 0) return cluster;
  const { withNamespaceLogins } = await import("./registry-logins.ts");
  return withNamespaceLogins(cluster, options);
}

/** Opens the node pools of this cluster. Throws what opening the cluster throws. */
export async function openNodePools(options: AdapterOptions): Promise<NodePools> {
  const { createKubernetesNodePools } = await import("../adapters/kubernetes/node-pools/node-pools.ts");
  const { settings, now } = options;
  const { usePullSecrets: readsPullSecrets } = settings.nodePools;
  return openInCluster(options, (kubeConfig) => createKubernetesNodePools({ kubeConfig, readsPullSecrets, now }));
}

/** Opens the lease of the polls of this cluster. Throws what opening the cluster throws. */
export async function openPollLease(options: AdapterOptions): Promise<PollLeaseObject> {
  const { createKubernetesPollLease } = await import("../adapters/kubernetes/poll-lease.ts");
  const { settings, now } = options;
  const { namespaces, longestPollGapSeconds: longestSeconds } = settings;
  const holder = createClaimHolder(settings.claimHolder);
  return openInCluster(options, (kubeConfig) =>
    createKubernetesPollLease({ kubeConfig, namespaces, holder, longestSeconds, now }),
  );
}

function digestOptions({ onFirstSeen, imagePullPolicy }: DigestSettings): DigestOptions {
  return { initialDigestPolicy: onFirstSeen, setsPullPolicy: imagePullPolicy === "Always" };
}
