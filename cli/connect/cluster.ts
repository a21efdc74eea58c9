import type { Lookup } from "../../functions/adapters/kubernetes/check-references.ts";
import type { LastPoll } from "../../functions/adapters/kubernetes/poll-lease.ts";
import type { ImageOwner } from "../../functions/domain/workload/owner/image-owner.ts";
import type { TemplateSnapshot } from "../../functions/domain/workload/release/release.ts";
import type { Cluster } from "../../functions/ports/cluster.ts";
import { printStderr } from "../output/print.ts";
import type { ClusterOptions } from "../options/cluster.ts";
import type { DigestOptions } from "../options/digest.ts";
import type { DeploymentGates, DeploymentOptions } from "../options/deployment.ts";
import { withoutAbsentKinds } from "./absent-kinds.ts";
import { loadKubeConfig } from "./kube-config.ts";

export interface OpenCluster {
  readonly cluster: Cluster;
  /** The same cluster, listing only these namespaces. */
  readonly inNamespaces: (namespaces: readonly string[]) => Cluster;
  /** The namespace of workloads that are named without one. */
  readonly namespace: string;
  /** The URL of its API server. */
  readonly server: string;
  /** Reads when Pawl polled it last; null if it has no Lease. Throws what `Cluster` throws. */
  readonly readLastPoll: () => Promise<LastPoll | null>;
  /** Reads which revision the tool that owns a workload has applied; null if that is not known. Throws what `Cluster` throws. */
  readonly readSync: (owner: ImageOwner) => Promise<string | null>;
  /** Looks up what the pods of a template cannot start without. Throws what `Cluster` throws. */
  readonly checkReferences: (namespace: string, template: TemplateSnapshot) => Promise<Lookup>;
}

interface GateOptions extends DeploymentOptions {
  /** The time at which change calendars are asked for their state; absent is now. */
  readonly evaluatedAt?: Date;
}

type Open = (namespaces: readonly string[] | null) => Cluster;

/** Commands without a configuration load none of its code. */
async function gatesOf({ config }: DeploymentOptions): Promise<DeploymentGates | null> {
  if (config === undefined) return null;
  const { deploymentGates, readConfigFile } = await import("../options/deployment.ts");
  return deploymentGates(readConfigFile(config));
}

async function addFreezes(open: Open, settings: DeploymentGates | null, at: Date | undefined): Promise<Open> {
  if (settings === null) return open;
  const { withDeploymentFreezes } = await import("../../functions/runtime/deployment-freezes.ts");
  const options = { settings, aws: {}, ...(at === undefined ? {} : { at }) };
  return (namespaces) => withDeploymentFreezes(open(namespaces), options);
}

/**
 * Opens the cluster without a request. Throws `InvalidInput` if the kubeconfig or the context does not exist. The client takes
 * longer to load than everything else: it is loaded here, so that help and usage errors do not need it.
 */
export async function connectCluster(options: ClusterOptions & DigestOptions & GateOptions): Promise<OpenCluster> {
  const { createKubernetesCluster } = await import("../../functions/adapters/kubernetes/cluster.ts");
  const kubeConfig = await loadKubeConfig(options);
  const context = kubeConfig.getContextObject(kubeConfig.getCurrentContext());
  const settings = await gatesOf(options);
  const open = (namespaces: readonly string[] | null) => {
    const created = createKubernetesCluster({
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
      git: settings?.git ?? null,
      ...(settings === null ? {} : { defaults: settings.defaults }),
    });
    return withoutAbsentKinds(created, kubeConfig);
  };
  const inNamespaces = await addFreezes(open, settings, options.evaluatedAt);
  return {
    cluster: inNamespaces(options.namespace ?? null),
    inNamespaces,
    server: kubeConfig.getCurrentCluster()?.server ?? "",
    namespace: options.namespace?.[0] ?? context?.namespace ?? "default",
    readLastPoll: async () =>
      (await import("../../functions/adapters/kubernetes/poll-lease.ts")).readLastPoll(kubeConfig, null),
    async readSync(owner) {
      const { readSync } = await import("../../functions/adapters/kubernetes/read-sync.ts");
      const { createKubernetesApi } = await import("../../functions/adapters/kubernetes/api.ts");
      return readSync(createKubernetesApi(kubeConfig), owner);
    },
    async checkReferences(namespace, template) {
      const { checkReferences } = await import("../../functions/adapters/kubernetes/check-references.ts");
      const { createKubernetesApi } = await import("../../functions/adapters/kubernetes/api.ts");
      return checkReferences(createKubernetesApi(kubeConfig), namespace, template);
    },
  };
}
