import type { AutoUpdate } from "../../functions/adapters/kubernetes/auto-update/object.ts";
import type { ContextOptions } from "../options/cluster.ts";
import { loadKubeConfig } from "./kube-config.ts";

/** Lists the AutoUpdates of these namespaces (null: all) in the order of kubectl; null if the CRD is not installed. */
export async function readAutoUpdates(
  options: ContextOptions,
  namespaces: readonly string[] | null,
): Promise<readonly AutoUpdate[] | null> {
  const { createKubernetesApi } = await import("../../functions/adapters/kubernetes/api.ts");
  const { resource } = await import("../../functions/adapters/kubernetes/auto-update/object.ts");
  const api = createKubernetesApi(await loadKubeConfig(options));
  const found: AutoUpdate[] = [];
  let isServed = false;
  for (const namespace of namespaces ?? [null]) {
    for await (const { items } of api.list<AutoUpdate>(resource, namespace, () => "full")) {
      isServed = true;
      found.push(...items);
    }
  }
  const key = ({ metadata }: AutoUpdate) => `${metadata.namespace}/${metadata.name}`;
  return isServed ? found.toSorted((one, other) => (key(one) < key(other) ? -1 : 1)) : null;
}
