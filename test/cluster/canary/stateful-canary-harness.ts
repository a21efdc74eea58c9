import { AppsV1Api, CoreV1Api, CustomObjectsApi, PatchStrategy, setHeaderOptions } from "@kubernetes/client-node";
import type { StatefulCanary } from "../../../functions/adapters/kubernetes/kinds/stateful-canary/object.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import type { ClusterHarness } from "../harness.ts";

export interface StatefulSetSummary {
  readonly image: string | undefined;
  readonly replicas: number | undefined;
  readonly ready: number;
}

/** A harness that creates, changes, deletes and reads StatefulCanaries, as kubectl does. */
export interface CanaryHarness {
  readonly flags: readonly string[];
  /** Creates a StatefulCanary with three replicas of 1.0.0, one of them a canary. */
  create(name: string, spec: object): Promise<void>;
  patch(name: string, spec: object): Promise<void>;
  delete(name: string): Promise<void>;
  get(name: string): Promise<StatefulCanary>;
  statefulSet(name: string): Promise<StatefulSetSummary>;
  statefulSets(): Promise<readonly string[]>;
  /** Returns the names of the pods of one role. */
  pods(role: string): Promise<readonly string[]>;
  /** Returns the names of the PersistentVolumeClaims. */
  claims(): Promise<readonly string[]>;
  /** Waits until there is no StatefulCanary, StatefulSet or pod. */
  waitForCleanup(): Promise<void>;
}

const resource = { group: "pawl.dev", version: "v1alpha1", plural: "statefulcanaries" };

/** Nothing listens there. */
export const unreachablePrometheus = "http://127.0.0.1:9";

/** An analysis whose Prometheus does not answer: each measurement is an error, and 1000 consecutive errors are tolerated. */
export const unreachableAnalysis = {
  analysis: {
    prometheus: unreachablePrometheus,
    interval: "1m",
    metrics: [{ name: "errors", query: "up", threshold: 1, consecutiveErrorLimit: 1000 }],
  },
};

/** `annotations` are those of its pods. */
export function createCanaryHarness(
  { namespace, kubeConfig, flags }: ClusterHarness,
  annotations: Readonly<Record<string, string>> = {},
): CanaryHarness {
  const custom = kubeConfig.makeApiClient(CustomObjectsApi);
  const apps = kubeConfig.makeApiClient(AppsV1Api);
  const core = kubeConfig.makeApiClient(CoreV1Api);
  const podsOf = async (labelSelector?: string) => {
    const { items } = await core.listNamespacedPod({ namespace, ...(labelSelector ? { labelSelector } : {}) });
    return items.map(({ metadata }) => metadata?.name ?? "");
  };
  const harness: CanaryHarness = {
    flags,
    async create(name, spec) {
      const body = {
        apiVersion: "pawl.dev/v1alpha1",
        kind: "StatefulCanary",
        metadata: { name },
        spec: { totalReplicas: 3, canaryReplicas: 1, template: withAnnotations(annotations), ...spec },
      };
      await custom.createNamespacedCustomObject({ ...resource, namespace, body });
    },
    async patch(name, spec) {
      const merge = setHeaderOptions("Content-Type", PatchStrategy.MergePatch);
      await custom.patchNamespacedCustomObject({ ...resource, namespace, name, body: { spec } }, merge);
    },
    async delete(name) {
      await custom.deleteNamespacedCustomObject({ ...resource, namespace, name });
    },
    get: (name) => custom.getNamespacedCustomObject({ ...resource, namespace, name }),
    async statefulSet(name) {
      const { spec, status } = await apps.readNamespacedStatefulSet({ name, namespace });
      const image = spec?.template.spec?.containers[0]?.image;
      return { image, replicas: spec?.replicas, ready: status?.readyReplicas ?? 0 };
    },
    async statefulSets() {
      const { items } = await apps.listNamespacedStatefulSet({ namespace });
      return items.map(({ metadata }) => metadata?.name ?? "");
    },
    pods: (role) => podsOf(`app.kubernetes.io/role=${role}`),
    async claims() {
      const { items } = await core.listNamespacedPersistentVolumeClaim({ namespace });
      return items.map(({ metadata }) => metadata?.name ?? "");
    },
    async waitForCleanup() {
      await eventually("nothing is left", async () => {
        const { items } = (await custom.listNamespacedCustomObject({ ...resource, namespace })) as { items: unknown[] };
        return items.length + (await harness.statefulSets()).length + (await podsOf()).length === 0;
      });
    },
  };
  return harness;
}

function withAnnotations(annotations: Readonly<Record<string, string>>) {
  const { metadata, spec } = template.template;
  return { ...template, template: { metadata: { ...metadata, annotations }, spec } };
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
