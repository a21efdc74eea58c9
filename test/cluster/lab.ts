import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  AppsV1Api,
  CoreV1Api,
  CustomObjectsApi,
  type KubeConfig,
  PatchStrategy,
  setHeaderOptions,
} from "@kubernetes/client-node";
import { inject } from "vitest";
import { annotations } from "../../functions/domain/annotations.ts";
import type { Workload } from "../../functions/domain/workload.ts";
import { kubernetesCluster } from "../../functions/adapters/kubernetes/cluster.ts";
import { makeNamespace, realKubeConfig } from "../support/real-cluster.ts";
import type { Suite } from "./suite.ts";

type BuiltInKind = "Deployment" | "StatefulSet" | "DaemonSet";

/** A namespace of the real cluster, with what a story needs to set it up and to look at what came of it. */
export interface Lab {
  readonly namespace: string;
  readonly kubeConfig: KubeConfig;
  /** Flags of `pawl local` for this namespace, with a clock twenty times as fast that a second process goes on with. */
  readonly flags: readonly string[];
  make(kind: BuiltInKind, name: string, image: string, own?: Record<string, string>): Promise<void>;
  makeClaw(name: string, autoUpdate?: object): Promise<void>;
  scale(name: string, replicas: number): Promise<void>;
  /** As `kubectl set image` does it, on a Deployment. */
  setImage(name: string, image: string): Promise<void>;
  /** As `kubectl annotate` does it, on a Deployment. */
  annotate(name: string, annotations: Record<string, string | null>): Promise<void>;
  workload(name: string): Promise<Workload>;
  /** Reasons of the Events on an object, in the order of their times. */
  eventsOf(name: string): Promise<readonly string[]>;
}

export async function openLab({ registry, folder }: Pick<Suite, "registry" | "folder">, login?: string): Promise<Lab> {
  const kubeConfig = realKubeConfig();
  const namespace = await makeNamespace(kubeConfig, "story");
  const dockerConfig = join(folder, `${namespace}.json`);
  const auths = login === undefined ? {} : { [registry.host]: { auth: Buffer.from(login).toString("base64") } };
  await writeFile(dockerConfig, JSON.stringify({ auths }));
  const apps = kubeConfig.makeApiClient(AppsV1Api);
  const core = kubeConfig.makeApiClient(CoreV1Api);
  const custom = kubeConfig.makeApiClient(CustomObjectsApi);
  const cluster = kubernetesCluster({
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
    flags: flagsOf({
      "--kubeconfig": inject("kubeconfig") ?? "",
      "--namespace": namespace,
      "--docker-config": dockerConfig,
      "--insecure-registry": registry.host,
      "--runtime-image": `openclaw=${registry.host}/agents/openclaw`,
      "--speed": "20",
      "--since": new Date().toISOString(),
      "--every": "30s",
    }),
    async make(kind, name, image, own = {}) {
      await creators[kind](builtIn(kind, name, image, own));
    },
    async makeClaw(name, autoUpdate = {}) {
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
      const ours = items.filter(({ source }) => source?.component === "pawl");
      const at = ({ firstTimestamp }: (typeof ours)[number]) => firstTimestamp?.getTime() ?? 0;
      return ours.toSorted((a, b) => at(a) - at(b)).map(({ reason }) => reason ?? "");
    },
  };
}

function builtIn(kind: BuiltInKind, name: string, image: string, own: Record<string, string>): object {
  const labels = { app: name };
  const policy = {
    [annotations.autoUpdate]: "true",
    [annotations.versionConstraint]: ">=1.0.0-0",
    [annotations.healthTimeout]: "10m",
  };
  return {
    apiVersion: "apps/v1",
    kind,
    metadata: { name, annotations: { ...policy, ...own } },
    spec: {
      ...(kind === "DaemonSet" ? {} : { replicas: 3 }),
      ...(kind === "StatefulSet" ? { serviceName: name } : {}),
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "app", image }] } },
    },
  };
}

function flagsOf(flags: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(flags).flat();
}
