import { setImmediate as nextTurn } from "node:timers/promises";
import { AppsV1Api, CoreV1Api, KubeConfig, PatchStrategy, setHeaderOptions } from "@kubernetes/client-node";
import {
  startEmbeddedCluster,
  type EmbeddedCluster,
  type EmbeddedClusterOptions,
} from "../../../../infra/local/kubernetes/cluster.ts";

/** A cluster with simulated time. */
export interface Simulation {
  readonly cluster: EmbeddedCluster;
  readonly core: CoreV1Api;
  readonly apps: AppsV1Api;
  readonly kubeConfig: KubeConfig;
  /** Advances time second by second and wakes the sleepers of each second. */
  pass(seconds: number): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

interface Sleeper {
  readonly dueSeconds: number;
  readonly wake: () => void;
}

/** Starts a cluster whose pods become ready after 3 simulated seconds; images with "bad" in their name never do. */
export async function simulate(
  objects: readonly object[],
  health: (image: string, digest: string) => boolean = isGood,
  digestOf: (image: string) => string | null = () => null,
  more: Partial<EmbeddedClusterOptions> = {},
): Promise<Simulation> {
  let elapsedSeconds = 0;
  const sleepers = new Set<Sleeper>();
  const cluster = await startEmbeddedCluster({
    now: () => new Date(Date.UTC(2026, 0, 1) + elapsedSeconds * 1000),
    sleep: (seconds) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      sleepers.add({ dueSeconds: elapsedSeconds + seconds, wake: resolve });
      return promise;
    },
    secondsToReady: 3,
    nodes: 3,
    objects,
    health,
    digestOf,
    ...more,
  });
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromString(cluster.kubeconfig);
  return {
    cluster,
    core: kubeConfig.makeApiClient(CoreV1Api),
    apps: kubeConfig.makeApiClient(AppsV1Api),
    kubeConfig,
    async pass(seconds) {
      for (let second = 0; second < seconds; second += 1) {
        elapsedSeconds += 1;
        for (const sleeper of [...sleepers].filter(({ dueSeconds }) => dueSeconds <= elapsedSeconds)) {
          sleepers.delete(sleeper);
          sleeper.wake();
        }
        await nextTurn();
        await nextTurn();
      }
    },
    [Symbol.asyncDispose]: () => cluster.close(),
  };
}

function isGood(image: string): boolean {
  return !image.includes("bad");
}

/** Cordons or uncordons a node, like kubectl. */
export async function cordon({ core }: Simulation, name: string, unschedulable = true): Promise<void> {
  await core.patchNode({ name, body: { spec: { unschedulable } } }, byMerge);
}

export const byMerge = setHeaderOptions("Content-Type", PatchStrategy.StrategicMergePatch);

export function workload(kind: string, fields: object = {}, image = "app:1.0.0") {
  const labels = { app: "web" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "app", image }] } };
  const replicas = kind === "DaemonSet" ? {} : { replicas: 3 };
  const metadata = { name: "web", namespace: "shop" };
  return {
    apiVersion: "apps/v1",
    kind,
    metadata,
    spec: { ...replicas, selector: { matchLabels: labels }, template, ...fields },
  };
}

export function toImage(image: string) {
  return { spec: { template: { spec: { containers: [{ name: "app", image }] } } } };
}

/** Describes every pod of the namespace `shop`: its ordinal if it has one, its image, and whether it is ready. */
export async function podsOf({ core }: Simulation): Promise<readonly string[]> {
  const { items } = await core.listNamespacedPod({ namespace: "shop" });
  return items.map(({ metadata, spec, status }) => {
    const ready = status?.conditions?.find(({ type }) => type === "Ready")?.status === "True";
    const ordinal = /-(\d)$/.exec(metadata?.name ?? "")?.[1];
    return `${ordinal === undefined ? "" : `${ordinal} `}${spec?.containers[0]?.image} ${ready ? "ready" : "waiting"}`;
  });
}
