import type { KubeConfig } from "@kubernetes/client-node";
import type { Cluster } from "../../functions/ports/cluster.ts";
import { WrongInput } from "../exit.ts";
import { say } from "../output/say.ts";
import type { ClusterOptions } from "./cluster-options.ts";
import type { FollowOptions } from "./follow-options.ts";

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

/** The kubeconfig that the options name, set to their context. Throws `WrongInput`. */
async function loadKubeConfig({ kubeconfig, context }: ClusterOptions): Promise<KubeConfig> {
  const client = await import("@kubernetes/client-node");
  const loaded = new client.KubeConfig();
  try {
    if (kubeconfig) loaded.loadFromFile(kubeconfig);
    else loaded.loadFromDefault();
  } catch (error) {
    const where = kubeconfig || process.env["KUBECONFIG"] || "the default";
    throw new WrongInput(`kubeconfig ${where} cannot be read: ${(error as Error).message}`, { cause: error });
  }
  if (context) loaded.setCurrentContext(context);
  assertUsable(loaded);
  return loaded;
}

/** The client's last resort, a cluster on port 8080 of this machine, is nobody's wish. */
function assertUsable(loaded: KubeConfig): void {
  const current = loaded.getCurrentContext();
  if (current === "loaded-context") {
    throw new WrongInput("there is no kubeconfig: name one with --kubeconfig or in KUBECONFIG");
  }
  if (loaded.getCurrentCluster() !== null) return;
  const known =
    loaded
      .getContexts()
      .map(({ name }) => name)
      .join(", ") || "none";
  throw new WrongInput(
    current
      ? `the kubeconfig has no context "${current}" with a cluster; there are: ${known}`
      : `the kubeconfig has no current context: name one of them with --context: ${known}`,
  );
}
