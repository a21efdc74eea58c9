import type { CoreV1Api, CoreV1Event } from "@kubernetes/client-node";
import type { Eviction } from "../../ports/cluster.ts";
import { isStatus, toPortError } from "./errors.ts";
import { createEvictor } from "./node-pools/evict-pod.ts";
import {
  assertKubernetesObject,
  decodeSecretData,
  ignoreNotFoundOnDelete,
  fieldManager,
  mapErrors,
  type RequestOptions,
  nullIfNotFound,
} from "./requests.ts";
import type { Pod } from "./pods/pod.ts";

/** The requests for objects of the core API: pods, Events, ConfigMaps, Secrets. */
export interface CoreApi {
  /** Returns one value of a ConfigMap; null if the ConfigMap or the key does not exist. */
  getConfigMap(namespace: string, name: string, key: string): Promise<string | null>;
  /** `selector` has the syntax of a query: `app=web,tier in (front)`. */
  listPods(namespace: string, selector: string): Promise<readonly Pod[]>;
  /** Returns the last lines of the log of a container; "" if it is not available: its node may not exist any more. */
  readLog(namespace: string, pod: string, container: string, lines: number): Promise<string>;
  /** Returns the decoded values of a Secret; null if it does not exist. */
  getSecret(namespace: string, name: string): Promise<Readonly<Record<string, string>> | null>;
  /** Returns the names of the pull secrets of a service account; none if it does not exist. */
  getServiceAccountSecrets(namespace: string, name: string): Promise<readonly string[]>;
  /** Reports whether an object of these kinds exists. */
  exists(kind: "ServiceAccount" | "PersistentVolumeClaim", namespace: string, name: string): Promise<boolean>;
  /** Deletes the pod if it has this uid: a new pod of the same name is kept. Does nothing if it does not exist. */
  deletePod(namespace: string, name: string, uid: string): Promise<void>;
  /** Evicts the pod if it has this uid, so that PodDisruptionBudgets hold. */
  evictPod(pod: { readonly namespace: string; readonly name: string; readonly uid: string }): Promise<Eviction>;
  /** Creates the Event; does nothing if one of its name exists. */
  createEvent(namespace: string, event: CoreV1Event): Promise<void>;
}

/** Of the end of a log, which is shown in an Event. */
const maxLogBytes = 65_536;

export function createCoreApi(core: CoreV1Api, options: RequestOptions): CoreApi {
  return {
    async getConfigMap(namespace, name, key) {
      const found = await nullIfNotFound(`read ConfigMap ${namespace}/${name}`, () =>
        core.readNamespacedConfigMap({ namespace, name }, options()),
      );
      return found?.data?.[key] ?? null;
    },

    async listPods(namespace, labelSelector) {
      const { items } = await mapErrors(`list pods of ${namespace}`, () =>
        core.listNamespacedPod({ namespace, labelSelector }, options()),
      );
      return items as readonly Pod[];
    },

    async readLog(namespace, name, container, tailLines) {
      try {
        return await core.readNamespacedPodLog(
          { namespace, name, container, tailLines, limitBytes: maxLogBytes },
          options(),
        );
      } catch {
        // It is for people, and delays no result.
        return "";
      }
    },

    async getSecret(namespace, name) {
      const found = await nullIfNotFound(`read Secret ${namespace}/${name}`, () =>
        core.readNamespacedSecret({ namespace, name }, options()),
      );
      return found === null ? null : decodeSecretData(found.data ?? {});
    },

    async getServiceAccountSecrets(namespace, name) {
      const found = await nullIfNotFound(`read ServiceAccount ${namespace}/${name}`, () =>
        core.readNamespacedServiceAccount({ namespace, name }, options()),
      );
      return (found?.imagePullSecrets ?? []).flatMap((secret) => (secret.name ? [secret.name] : []));
    },

    async exists(kind, namespace, name) {
      const found = await nullIfNotFound(`read ${kind} ${namespace}/${name}`, () =>
        kind === "ServiceAccount"
          ? core.readNamespacedServiceAccount({ namespace, name }, options())
          : core.readNamespacedPersistentVolumeClaim({ namespace, name }, options()),
      );
      return found !== null;
    },

    async deletePod(namespace, name, uid) {
      const request = { namespace, name, body: { preconditions: { uid } } };
      await ignoreNotFoundOnDelete(`delete pod ${namespace}/${name}`, () =>
        core.deleteNamespacedPod(request, options()),
      );
    },

    evictPod: createEvictor(core, options),

    async createEvent(namespace, event) {
      const what = `write an Event in ${namespace}`;
      try {
        assertKubernetesObject(
          await core.createNamespacedEvent({ namespace, body: event, fieldManager }, options()),
          what,
        );
      } catch (error) {
        if (!isStatus(error, 409)) throw toPortError(error, what);
      }
    },
  };
}
