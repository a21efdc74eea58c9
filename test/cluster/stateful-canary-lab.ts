import { AppsV1Api, CoreV1Api, CustomObjectsApi, PatchStrategy, setHeaderOptions } from "@kubernetes/client-node";
import type { StatefulCanary } from "../../functions/adapters/kubernetes/kinds/stateful-canary-object.ts";
import { eventually } from "../support/control-plane/eventually.ts";
import type { Lab } from "./lab.ts";

export interface SetSeen {
  readonly image: string | undefined;
  readonly replicas: number | undefined;
  readonly ready: number;
}

/** A lab for StatefulCanaries: they are made, changed and deleted as kubectl does it, and looked at from outside. */
export interface CanaryLab {
  readonly flags: readonly string[];
  /** Three replicas of 1.0.0, one of them a canary. */
  make(name: string, spec: object): Promise<void>;
  patch(name: string, spec: object): Promise<void>;
  remove(name: string): Promise<void>;
  look(name: string): Promise<StatefulCanary>;
  set(name: string): Promise<SetSeen>;
  sets(): Promise<readonly string[]>;
  /** Names of the pods of one side. */
  pods(role: string): Promise<readonly string[]>;
  /** Names of the volume claims. */
  claims(): Promise<readonly string[]>;
  /** Resolves when there is no StatefulCanary, set or pod any more. */
  isClean(): Promise<void>;
}

const about = { group: "pawl.dev", version: "v1alpha1", plural: "statefulcanaries" };

/** Nobody allows Pawl to ask this one: each measurement is an error, and a thousand of them are let pass. */
export const unreachableAnalysis = {
  analysis: {
    prometheus: "http://prometheus.invalid",
    interval: "1m",
    metrics: [{ name: "errors", query: "up", threshold: 1, consecutiveErrorLimit: 1000 }],
  },
};

export function canaryLab({ namespace, kubeConfig, flags }: Lab): CanaryLab {
  const custom = kubeConfig.makeApiClient(CustomObjectsApi);
  const apps = kubeConfig.makeApiClient(AppsV1Api);
  const core = kubeConfig.makeApiClient(CoreV1Api);
  const podsOf = async (labelSelector?: string) => {
    const { items } = await core.listNamespacedPod({ namespace, ...(labelSelector ? { labelSelector } : {}) });
    return items.map(({ metadata }) => metadata?.name ?? "");
  };
  const lab: CanaryLab = {
    flags,
    async make(name, spec) {
      const body = {
        apiVersion: "pawl.dev/v1alpha1",
        kind: "StatefulCanary",
        metadata: { name },
        spec: { totalReplicas: 3, canaryReplicas: 1, template, ...spec },
      };
      await custom.createNamespacedCustomObject({ ...about, namespace, body });
    },
    async patch(name, spec) {
      const merge = setHeaderOptions("Content-Type", PatchStrategy.MergePatch);
      await custom.patchNamespacedCustomObject({ ...about, namespace, name, body: { spec } }, merge);
    },
    async remove(name) {
      await custom.deleteNamespacedCustomObject({ ...about, namespace, name });
    },
    look: (name) => custom.getNamespacedCustomObject({ ...about, namespace, name }),
    async set(name) {
      const { spec, status } = await apps.readNamespacedStatefulSet({ name, namespace });
      const image = spec?.template.spec?.containers[0]?.image;
      return { image, replicas: spec?.replicas, ready: status?.readyReplicas ?? 0 };
    },
    async sets() {
      const { items } = await apps.listNamespacedStatefulSet({ namespace });
      return items.map(({ metadata }) => metadata?.name ?? "");
    },
    pods: (role) => podsOf(`app.kubernetes.io/role=${role}`),
    async claims() {
      const { items } = await core.listNamespacedPersistentVolumeClaim({ namespace });
      return items.map(({ metadata }) => metadata?.name ?? "");
    },
    async isClean() {
      await eventually("nothing is left", async () => {
        const { items } = (await custom.listNamespacedCustomObject({ ...about, namespace })) as { items: unknown[] };
        return items.length + (await lab.sets()).length + (await podsOf()).length === 0;
      });
    },
  };
  return lab;
}

const template = {
  template: {
    metadata: { labels: { app: "db" } },
    spec: { containers: [{ name: "db", image: "registry.example/shop/db:1.0.0" }] },
  },
  volumeClaimTemplates: [
    {
      metadata: { name: "data" },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
    },
  ],
};
