import { CoreV1Api, Health, KubeConfig } from "@kubernetes/client-node";
import { eventually } from "./eventually.ts";

/** Resolves with the kubeconfig when the server is ready. */
export function waitUntilReady(kubeconfig: () => Promise<string>, unless: Promise<never>): Promise<string> {
  const ask = async () => {
    const text = await kubeconfig();
    return (await new Health(load(text)).readyz({})) && text;
  };
  return eventually("kube-apiserver is ready", ask, unless);
}

/** Resolves when pods can be created in `default`, which needs the controllers, and the fake kubelet's Nodes are Ready. */
export async function waitUntilWorking(
  kubeconfig: string,
  nodes: readonly string[],
  unless: Promise<never>,
): Promise<void> {
  const core = load(kubeconfig).makeApiClient(CoreV1Api);
  await eventually("pods are admitted", () => admitsPods(core, "default"), unless);
  for (const name of nodes) {
    const ask = async () => {
      const node = await core.readNode({ name });
      return node.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True");
    };
    await eventually(`${name} is ready`, ask, unless);
  }
}

/**
 * Throws if a pod would be rejected: a new namespace rejects pods until its ServiceAccount exists, and before 1.24 the
 * account's token.
 */
export async function admitsPods(core: CoreV1Api, namespace: string): Promise<true> {
  const spec = { containers: [{ name: "probe", image: "probe" }] };
  await core.createNamespacedPod({ namespace, dryRun: "All", body: { metadata: { name: "probe" }, spec } });
  return true;
}

function load(kubeconfig: string): KubeConfig {
  const config = new KubeConfig();
  config.loadFromString(kubeconfig);
  return config;
}
