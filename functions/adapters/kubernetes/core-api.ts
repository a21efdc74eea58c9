import type { CoreV1Api, CoreV1Event } from "@kubernetes/client-node";
import { isStatus, namedError } from "./errors.ts";
import { answered, decoded, deleted, fieldManager, named, type Options, orNull } from "./requests.ts";
import type { Pod } from "./pod.ts";

/** The requests for what belongs to a workload: its pods, its Events, the ConfigMaps beside it. */
export interface CoreApi {
  /** One value of a ConfigMap; null where there is no such ConfigMap, or no such key in it. */
  getConfigMap(namespace: string, name: string, key: string): Promise<string | null>;
  /** `selector` as a query has it: `app=web,tier in (front)`. */
  listPods(namespace: string, selector: string): Promise<readonly Pod[]>;
  /** The values of a Secret, decoded; null where there is none. */
  getSecret(namespace: string, name: string): Promise<Readonly<Record<string, string>> | null>;
  /** The names of the pull secrets of a service account; none where there is no such account. */
  getServiceAccountSecrets(namespace: string, name: string): Promise<readonly string[]>;
  /** Only the pod of this uid: one that has taken its name since stays. Gone already is as good. */
  deletePod(namespace: string, name: string, uid: string): Promise<void>;
  /** Writes the Event once: an Event of its name that exists already is as good. */
  createEvent(namespace: string, event: CoreV1Event): Promise<void>;
}

export function coreApi(core: CoreV1Api, options: Options): CoreApi {
  return {
    async getConfigMap(namespace, name, key) {
      const found = await orNull(`read ConfigMap ${namespace}/${name}`, () =>
        core.readNamespacedConfigMap({ namespace, name }, options()),
      );
      return found?.data?.[key] ?? null;
    },

    async listPods(namespace, labelSelector) {
      const { items } = await named(`list pods of ${namespace}`, () =>
        core.listNamespacedPod({ namespace, labelSelector }, options()),
      );
      return items as readonly Pod[];
    },

    async getSecret(namespace, name) {
      const found = await orNull(`read Secret ${namespace}/${name}`, () =>
        core.readNamespacedSecret({ namespace, name }, options()),
      );
      return found === null ? null : decoded(found.data ?? {});
    },

    async getServiceAccountSecrets(namespace, name) {
      const found = await orNull(`read ServiceAccount ${namespace}/${name}`, () =>
        core.readNamespacedServiceAccount({ namespace, name }, options()),
      );
      return (found?.imagePullSecrets ?? []).flatMap((secret) => (secret.name ? [secret.name] : []));
    },

    async deletePod(namespace, name, uid) {
      const request = { namespace, name, body: { preconditions: { uid } } };
      await deleted(`delete pod ${namespace}/${name}`, () => core.deleteNamespacedPod(request, options()));
    },

    async createEvent(namespace, event) {
      const what = `write an Event in ${namespace}`;
      try {
        answered(await core.createNamespacedEvent({ namespace, body: event, fieldManager }, options()), what);
      } catch (error) {
        if (!isStatus(error, 409)) throw namedError(error, what);
      }
    },
  };
}
