import type { KubeConfig } from "@kubernetes/client-node";
import { WrongInput } from "../exit.ts";
import type { ContextOptions } from "./cluster-options.ts";

/** The kubeconfig that the options name, set to their context. Throws `WrongInput`. */
export async function loadKubeConfig({ kubeconfig, context }: ContextOptions): Promise<KubeConfig> {
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
