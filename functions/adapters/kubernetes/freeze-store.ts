import { CoreV1Api, type KubeConfig } from "@kubernetes/client-node";
import { freezeKey, freezeName } from "../../ports/cluster.ts";
import { readIdentity } from "./identity.ts";
import { createRequestOptions, fieldManager, mapErrors, nullIfNotFound } from "./requests.ts";
import { createServerClock } from "./server-clock.ts";

/** The freezes as they were read. */
export interface StoredFreezes {
  readonly text: string;
  /** null if there is no ConfigMap. */
  readonly resourceVersion: string | null;
  /** By the clock of the API server, with which the gate compares too. */
  readonly now: Date;
}

/** The ConfigMap with the freezes of a cluster, for a person: no function of Pawl may write it. */
export interface FreezeStore {
  /** Returns who the API server says that the person is; "" if it does not say. */
  whoAmI(): Promise<string>;
  read(): Promise<StoredFreezes>;
  /** Throws `Conflict` if they have changed since they were read. */
  write(text: string, before: StoredFreezes): Promise<void>;
}

export function createFreezeStore(kubeConfig: KubeConfig, namespace: string): FreezeStore {
  const core = kubeConfig.makeApiClient(CoreV1Api);
  const serverClock = createServerClock(() => new Date());
  const options = createRequestOptions(serverClock.observe);
  const subject = `ConfigMap ${namespace}/${freezeName}`;
  return {
    // Before Kubernetes 1.28 nobody says; a freeze is not to fail because of that.
    whoAmI: () =>
      readIdentity(kubeConfig).then(
        ({ user }) => user,
        () => "",
      ),
    async read() {
      const read = () => core.readNamespacedConfigMap({ namespace, name: freezeName }, options());
      const found = await nullIfNotFound(`read ${subject}`, read);
      const now = new Date(Date.now() + serverClock.aheadSeconds() * 1000);
      return { text: found?.data?.[freezeKey] ?? "", resourceVersion: found?.metadata?.resourceVersion ?? null, now };
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
