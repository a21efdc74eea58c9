import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  AppsV1Api,
  type CoreV1Event,
  CoreV1Api,
  CustomObjectsApi,
  type KubeConfig,
  type KubernetesObject,
  KubernetesObjectApi,
  PatchStrategy,
  setHeaderOptions,
} from "@kubernetes/client-node";
import { inject } from "vitest";
import { annotations } from "../../functions/domain/workload/policy/annotations.ts";
import type { Workload } from "../../functions/domain/workload/workload.ts";
import { createKubernetesCluster } from "../../functions/adapters/kubernetes/cluster.ts";
import { makeNamespace, realKubeConfig } from "../support/real-cluster.ts";
import { eventually } from "../support/control-plane/eventually.ts";
import type { Suite } from "./suite.ts";

type BuiltInKind = "Deployment" | "StatefulSet" | "DaemonSet";

/** Extends the spec of a workload. */
export type WorkloadSpec = object & { readonly template?: { readonly metadata?: object } };

/** A namespace of the real cluster, with functions that set it up and observe the results. */
export interface ClusterHarness {
  readonly namespace: string;
  readonly kubeConfig: KubeConfig;
  /** Flags of `pawl local` for this namespace. A second process continues the clock, which runs 20 times as fast. */
  readonly flags: readonly string[];
  /** Creates a workload and waits until its pods are ready, unless its image never is: nobody blames an update of one that was not. */
  create(
    kind: BuiltInKind,
    name: string,
    image: string,
    ownAnnotations?: Record<string, string>,
    spec?: WorkloadSpec,
  ): Promise<void>;
  createClaw(name: string, autoUpdate?: object): Promise<void>;
  scale(name: string, replicas: number): Promise<void>;
  /** Sets the image of a Deployment, as `kubectl set image` does. */
  setImage(name: string, image: string): Promise<void>;
  /** Annotates a Deployment, as `kubectl annotate` does. */
  annotate(name: string, annotations: Record<string, string | null>): Promise<void>;
  workload(name: string): Promise<Workload>;
  /** Returns the reasons of the Events of Pawl on an object, in chronological order. */
  eventsOf(name: string): Promise<readonly string[]>;
}

export async function openClusterHarness(
  { registry, folder }: Pick<Suite, "registry" | "folder">,
  login?: string,
): Promise<ClusterHarness> {
  const kubeConfig = realKubeConfig();
  const namespace = await makeNamespace(kubeConfig, "test");
  const dockerConfig = join(folder, `${namespace}.json`);
  const auths = login === undefined ? {} : { [registry.host]: { auth: Buffer.from(login).toString("base64") } };
  await writeFile(dockerConfig, JSON.stringify({ auths }));
  const apps = kubeConfig.makeApiClient(AppsV1Api);
  const core = kubeConfig.makeApiClient(CoreV1Api);
  const custom = kubeConfig.makeApiClient(CustomObjectsApi);
  const cluster = createKubernetesCluster({
    name: "real",
    kubeConfig,
    namespaces: [namespace],
    now: () => new Date(),
    warn: (message) => process.emitWarning(message),
  });
  const creators = {
    Deployment: (body: object) => apps.createNamespacedDeployment({ namespace, body }),
    StatefulSet: (body: object) => apps.createNamespacedStatefulSet({ namespace, body: body }),
    DaemonSet: (body: object) => apps.createNamespacedDaemonSet({ namespace, body: body }),
  };
  return {
    namespace,
    kubeConfig,
    flags: flattenFlags({
      "--kubeconfig": inject("kubeconfig") ?? "",
      "--namespace": namespace,
      "--docker-config": dockerConfig,
      "--insecure-registry": registry.host,
      "--runtime-image": `openclaw=${registry.host}/agents/openclaw`,
      "--clock-speed": "20",
      "--clock-start": new Date().toISOString(),
      "--interval": "30s",
    }),
    async create(kind, name, image, ownAnnotations = {}, spec = {}) {
      await creators[kind](createBody(kind, name, image, ownAnnotations, spec));
      if (!image.endsWith("-bad")) await waitUntilReady(kubeConfig, namespace, kind, name);
    },
    async createClaw(name, autoUpdate = {}) {
      const spec = { runtime: "openclaw", autoUpdate: { enabled: true, schedule: "* * * * *", ...autoUpdate } };
      const body = { apiVersion: "claw.prismer.ai/v1alpha1", kind: "Claw", metadata: { name }, spec };
      await custom.createNamespacedCustomObject({
        group: "claw.prismer.ai",
        version: "v1alpha1",
        plural: "claws",
        namespace,
        body,
      });
    },
    async scale(name, replicas) {
      const merge = setHeaderOptions("Content-Type", PatchStrategy.MergePatch);
      await apps.patchNamespacedStatefulSetScale({ name, namespace, body: { spec: { replicas } } }, merge);
    },
    async setImage(name, image) {
      const body = { spec: { template: { spec: { containers: [{ name: "app", image }] } } } };
      const strategic = setHeaderOptions("Content-Type", PatchStrategy.StrategicMergePatch);
      await apps.patchNamespacedDeployment({ name, namespace, body }, strategic);
    },
    async annotate(name, values) {
      const merge = setHeaderOptions("Content-Type", PatchStrategy.MergePatch);
      await apps.patchNamespacedDeployment({ name, namespace, body: { metadata: { annotations: values } } }, merge);
    },
    async workload(name) {
      for await (const workload of cluster.list()) if (workload.ref.name === name) return workload;
      throw new Error(`${namespace} has no workload ${name} that opted in`);
    },
    async eventsOf(name) {
      const { items } = await core.listNamespacedEvent({ namespace, fieldSelector: `involvedObject.name=${name}` });
      const pawlEvents = items.filter(({ source }) => source?.component === "pawl");
      return sortEvents(pawlEvents).map(({ reason }) => reason ?? "");
    },
  };
}

/** Waits until the pods of a workload are ready. */
export async function waitUntilReady(kubeConfig: KubeConfig, namespace: string, kind: string, name: string) {
  const objects = KubernetesObjectApi.makeApiClient(kubeConfig);
  await eventually(`the pods of ${kind} ${name} are ready`, async () => {
    const { metadata, spec, status } = await objects.read<Counted>({
      apiVersion: "apps/v1",
      kind,
      metadata: { name, namespace },
    });
    const desired = spec.replicas ?? status.desiredNumberScheduled ?? Infinity;
    const isCurrent = status.observedGeneration === metadata?.generation;
    return isCurrent && (status.readyReplicas ?? status.numberReady ?? 0) >= desired;
  });
}

/** The counts of a workload: those of a DaemonSet have other names. */
interface Counted extends KubernetesObject {
  readonly spec: { readonly replicas?: number };
  readonly status: {
    readonly observedGeneration?: number;
    readonly readyReplicas?: number;
    readonly desiredNumberScheduled?: number;
    readonly numberReady?: number;
  };
}

/**
 * Sorts Events as `kubectl events` does: by `lastTimestamp`, which only other controllers set, or by `eventTime`, which the client
 * returns as text with microseconds.
 */
export function sortEvents(events: readonly CoreV1Event[]): readonly CoreV1Event[] {
  const timeOf = ({ lastTimestamp, eventTime }: CoreV1Event) => lastTimestamp?.toISOString() ?? String(eventTime);
  return events.toSorted((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1));
}

function createBody(
  kind: BuiltInKind,
  name: string,
  image: string,
  ownAnnotations: Record<string, string>,
  { template, ...spec }: WorkloadSpec,
): object {
  const labels = { app: name };
  const policy = {
    [annotations.autoUpdate]: "true",
    [annotations.versionConstraint]: ">=1.0.0-0",
    [annotations.versioning]: "semver",
    [annotations.healthTimeout]: "10m",
  };
  return {
    apiVersion: "apps/v1",
    kind,
    metadata: { name, annotations: { ...policy, ...ownAnnotations } },
    spec: {
      ...(kind === "DaemonSet" ? {} : { replicas: 3 }),
      ...(kind === "StatefulSet" ? { serviceName: name } : {}),
      ...spec,
      selector: { matchLabels: labels },
      template: { metadata: { labels, ...template?.metadata }, spec: { containers: [{ name: "app", image }] } },
    },
  };
}

function flattenFlags(flags: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(flags).flat();
}
