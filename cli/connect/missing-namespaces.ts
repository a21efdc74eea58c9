import type { ClusterOptions } from "../options/cluster.ts";
import { loadKubeConfig } from "./kube-config.ts";

/** Returns which namespaces of the options do not exist. One that the user must not read is not reported. */
export async function missingNamespaces(options: ClusterOptions): Promise<readonly string[]> {
  const { CoreV1Api } = await import("@kubernetes/client-node");
  const core = (await loadKubeConfig(options)).makeApiClient(CoreV1Api);
  const isMissing = async (name: string): Promise<boolean> => {
    try {
      await core.readNamespace({ name });
      return false;
    } catch (error) {
      return (error as { readonly code?: unknown }).code === 404;
    }
  };
  const missing = await Promise.all(
    (options.namespace ?? []).map(async (name) => ((await isMissing(name)) ? name : null)),
  );
  return missing.filter((name) => name !== null);
}

/** Returns why a list of workloads is empty. */
export async function describeEmpty(options: ClusterOptions, nothing: string): Promise<string> {
  const missing = await missingNamespaces(options);
  if (missing.length === 0) return nothing;
  return `${nothing}: ${missing.length === 1 ? "namespace" : "namespaces"} ${missing.join(", ")} not found`;
}
