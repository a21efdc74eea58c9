import { setTimeout as pause } from "node:timers/promises";
import { CustomObjectsApi, type KubeConfig, PatchStrategy, setHeaderOptions } from "@kubernetes/client-node";

export const kinds = ["Deployment", "StatefulSet", "DaemonSet"] as const;
export type Kind = (typeof kinds)[number];

interface Container {
  readonly name: string;
  readonly image: string;
  readonly env?: readonly { readonly name: string; readonly value: string }[];
}

interface Metadata {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly { readonly uid: string; readonly controller?: boolean }[];
  readonly finalizers?: readonly string[];
  readonly deletionTimestamp?: string;
}

export interface PodTemplate {
  readonly metadata: Pick<Metadata, "annotations" | "labels">;
  readonly spec: { readonly containers: readonly Container[] };
}

/** A Deployment, StatefulSet or DaemonSet. */
export interface Workload {
  readonly apiVersion: string;
  readonly kind: Kind;
  readonly metadata: Metadata;
  readonly spec: {
    readonly replicas?: number;
    readonly paused?: boolean;
    readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
    readonly updateStrategy?: { readonly rollingUpdate?: { readonly partition?: number } };
    readonly template: PodTemplate;
  };
  readonly status?: { readonly observedGeneration?: number };
}

/** Reads and writes objects of one namespace as they are: the typed client drops fields that it does not know. */
export interface Objects {
  get<T>(plural: string, name: string): Promise<T>;
  list<T>(plural: string, labels: Readonly<Record<string, string>>): Promise<readonly T[]>;
  create(plural: string, body: object): Promise<void>;
  replace(plural: string, name: string, body: object): Promise<void>;
  patch(plural: string, name: string, strategy: PatchStrategy, body: object): Promise<void>;
  scale(plural: string, name: string, replicas: number): Promise<void>;
  /** Deletes in the background, and resolves when the object does not exist any more. */
  delete(plural: string, name: string): Promise<void>;
}

export const plurals = {
  Deployment: "deployments",
  StatefulSet: "statefulsets",
  DaemonSet: "daemonsets",
} as const satisfies Record<Kind, string>;

/** Opens the API group `apps` in one namespace; with another group, its custom resources. */
export function openObjects(kubeConfig: KubeConfig, namespace: string, group = "apps", version = "v1"): Objects {
  const api = kubeConfig.makeApiClient(CustomObjectsApi);
  const at = (plural: string) => ({ group, version, namespace, plural });
  return {
    get: (plural, name) => api.getNamespacedCustomObject({ ...at(plural), name }),
    async list<T>(plural: string, labels: Readonly<Record<string, string>>) {
      const labelSelector = Object.entries(labels)
        .map(([key, value]) => `${key}=${value}`)
        .join(",");
      const found = (await api.listNamespacedCustomObject({ ...at(plural), labelSelector })) as { items: T[] };
      return found.items;
    },
    async create(plural, body) {
      await api.createNamespacedCustomObject({ ...at(plural), body });
    },
    async replace(plural, name, body) {
      await api.replaceNamespacedCustomObject({ ...at(plural), name, body });
    },
    async patch(plural, name, strategy, body) {
      await api.patchNamespacedCustomObject({ ...at(plural), name, body }, setHeaderOptions("Content-Type", strategy));
    },
    async scale(plural, name, replicas) {
      const merge = setHeaderOptions("Content-Type", PatchStrategy.MergePatch);
      await api.patchNamespacedCustomObjectScale({ ...at(plural), name, body: { spec: { replicas } } }, merge);
    },
    async delete(plural, name) {
      const { metadata } = (await api.getNamespacedCustomObject({ ...at(plural), name })) as Workload;
      await api.deleteNamespacedCustomObject({ ...at(plural), name, propagationPolicy: "Background" });
      const isThere = () =>
        api.getNamespacedCustomObject({ ...at(plural), name }).then(
          (found: Workload) => found.metadata.uid === metadata.uid,
          (error: { code?: number }) => {
            if (error.code !== 404) throw error;
            return false;
          },
        );
      while (await isThere()) await pause(50);
    },
  };
}
