import type { KubeConfig } from "@kubernetes/client-node";
import { InvalidInput } from "../exit-codes.ts";
import type { ContextOptions } from "../options/cluster.ts";

/** Loads the kubeconfig of the options and selects their context. Throws `InvalidInput`. */
export async function loadKubeConfig({ kubeconfig, context }: ContextOptions): Promise<KubeConfig> {
  const client = await import("@kubernetes/client-node");
  const loaded = new client.KubeConfig();
  try {
    if (kubeconfig) loaded.loadFromFile(kubeconfig);
    else loaded.loadFromDefault();
  } catch (error) {
    const path = kubeconfig || process.env["KUBECONFIG"] || "the default";
    throw new InvalidInput(`kubeconfig ${path} is invalid: ${(error as Error).message}`, { cause: error });
  }
  if (context) loaded.setCurrentContext(context);
  assertUsable(loaded);
  return loaded;
}

/** Rejects the client's fallback, a cluster on port 8080 of this machine. */
function assertUsable(loaded: KubeConfig): void {
  const current = loaded.getCurrentContext();
  if (current === "loaded-context") {
    throw new InvalidInput("no kubeconfig found; set --kubeconfig or KUBECONFIG");
  }
  if (loaded.getCurrentCluster() !== null) return;
  const contexts =
    loaded
      .getContexts()
      .map(({ name }) => name)
      .join(", ") || "none";
  throw new InvalidInput(
    current
      ? `the kubeconfig has no context "${current}" with a cluster; available: ${contexts}`
      : `the kubeconfig has no current context; set --context to one of: ${contexts}`,
  );
}
