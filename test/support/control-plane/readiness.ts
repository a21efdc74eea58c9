import { CoreV1Api, Health, KubeConfig } from "@kubernetes/client-node";
import { eventually } from "./eventually.ts";

/** Resolves with the kubeconfig with which the server says that it is ready. */
export function untilAnswering(kubeconfig: () => Promise<string>, unless: Promise<never>): Promise<string> {
  const ask = async () => {
    const text = await kubeconfig();
    return (await new Health(load(text)).readyz({})) && text;
  };
  return eventually("kube-apiserver is ready", ask, unless);
}

/** Resolves when `default` takes pods, which needs controllers at work, and when the fake kubelet has made its Nodes. */
export async function untilWorking(
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
 * Throws where a pod would be refused: a new namespace refuses all until its ServiceAccount, and before 1.24 that
 * one's token, has been made.
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
