import { existsSync } from "node:fs";
import { delimiter } from "node:path";
import type { KubeConfig } from "@kubernetes/client-node";
import { InvalidInput } from "../exit-codes.ts";
import type { ContextOptions } from "../options/cluster.ts";

/** Loads the kubeconfig of the options and selects their context. Throws `InvalidInput`. */
export async function loadKubeConfig({ kubeconfig, context, loadedConfig }: ContextOptions): Promise<KubeConfig> {
  if (loadedConfig !== undefined) return loadedConfig;
  const client = await import("@kubernetes/client-node");
  const loaded = new client.KubeConfig();
  try {
    if (kubeconfig) loaded.loadFromFile(kubeconfig);
    else loadDefault(loaded, () => new client.KubeConfig());
  } catch (error) {
    const path = kubeconfig || process.env["KUBECONFIG"] || "the default";
    throw new InvalidInput(`kubeconfig ${path} is invalid: ${(error as Error).message}`, { cause: error });
  }
  if (context) loaded.setCurrentContext(context);
  // Like kubectl, for `kubectl proxy`: the client wants it to be said that there is no certificate to verify.
  loaded.clusters = loaded.clusters.map((one) =>
    one.server.startsWith("http:") ? { ...one, skipTLSVerify: true } : one,
  );
  assertUsable(loaded);
  return loaded;
}

/** Like kubectl: of the files that KUBECONFIG lists, those that exist are merged, and the first that names something has precedence. */
function loadDefault(loaded: KubeConfig, create: () => KubeConfig): void {
  const listed = (process.env["KUBECONFIG"] ?? "").split(delimiter).filter((file) => file !== "");
  if (listed.length < 2) return loaded.loadFromDefault();
  const [first, ...others] = listed.filter((file) => existsSync(file));
  if (first === undefined) throw new Error(`none of its files exists`);
  loaded.loadFromFile(first);
  for (const file of others) {
    const other = create();
    other.loadFromFile(file);
    const isNew = (known: readonly { readonly name: string }[]) => (one: { readonly name: string }) =>
      !known.some(({ name }) => name === one.name);
    other.clusters = other.clusters.filter(isNew(loaded.clusters));
    other.users = other.users.filter(isNew(loaded.users));
    other.contexts = other.contexts.filter(isNew(loaded.contexts));
    loaded.mergeConfig(other, true);
    if (!loaded.currentContext) loaded.currentContext = other.currentContext;
  }
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
