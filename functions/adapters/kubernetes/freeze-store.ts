import { CoreV1Api, type KubeConfig } from "@kubernetes/client-node";
import { freezeKey, freezeName } from "../../ports/cluster.ts";
import { createRequestOptions, fieldManager, mapErrors, nullIfNotFound } from "./requests.ts";

/** The freezes as they were read. */
export interface StoredFreezes {
  readonly text: string;
  /** null if there is no ConfigMap. */
  readonly resourceVersion: string | null;
}

/** The ConfigMap with the freezes of a cluster, for a person: no function of Pawl may write it. */
export interface FreezeStore {
  read(): Promise<StoredFreezes>;
  /** Throws `Conflict` if they have changed since they were read. */
  write(text: string, before: StoredFreezes): Promise<void>;
}

export function createFreezeStore(kubeConfig: KubeConfig, namespace: string): FreezeStore {
  const core = kubeConfig.makeApiClient(CoreV1Api);
  const options = createRequestOptions();
  const subject = `ConfigMap ${namespace}/${freezeName}`;
  return {
    async read() {
      const read = () => core.readNamespacedConfigMap({ namespace, name: freezeName }, options());
      const found = await nullIfNotFound(`read ${subject}`, read);
      return { text: found?.data?.[freezeKey] ?? "", resourceVersion: found?.metadata?.resourceVersion ?? null };
    },
    async write(text, { resourceVersion }) {
      const data = { [freezeKey]: text };
      if (resourceVersion === null) {
        const body = { metadata: { name: freezeName, namespace }, data };
        const create = () => core.createNamespacedConfigMap({ namespace, body, fieldManager }, options());
        await mapErrors(`create ${subject}`, create, true);
        return;
      }
      const body = { metadata: { resourceVersion }, data };
      const asPatch = options({ "Content-Type": "application/merge-patch+json" });
      const patch = () => core.patchNamespacedConfigMap({ namespace, name: freezeName, body, fieldManager }, asPatch);
      await mapErrors(`patch ${subject}`, patch, true);
    },
  };
}
