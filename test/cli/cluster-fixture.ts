import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KubeConfig } from "@kubernetes/client-node";
import { createKubernetesCluster } from "../../functions/adapters/kubernetes/cluster.ts";
import type { Cluster } from "../../functions/ports/cluster.ts";
import { startEmbeddedCluster } from "../../infra/local/kubernetes/cluster.ts";
import { startEmbeddedRegistry } from "../../infra/local/registry/embedded-registry.ts";
import { type Ran, runPawl } from "./run-pawl.ts";

export interface ClusterFixture {
  /** `host:port` of the registry. */
  readonly registry: string;
  /** The path of the kubeconfig. */
  readonly kubeconfig: string;
  /** The cluster as Pawl's functions see it. */
  readonly cluster: Cluster;
  /** Runs the command on the cluster. */
  pawl(...args: readonly string[]): Promise<Ran>;
  /** Returns the current annotations of an object by its path below the API: `apps/v1/namespaces/shop/deployments/web`. */
  annotations(path: string): Promise<Readonly<Record<string, string>>>;
  /** Returns the current object. */
  object(path: string): Promise<StoredObject>;
  /** Writes annotations as a person does. */
  annotate(path: string, annotations: Readonly<Record<string, string>>): Promise<void>;
  /** Changes an object as a person does, by a merge patch. */
  edit(path: string, patch: object): Promise<void>;
  /** Creates an object and writes its status. */
  create(path: string, object: NewObject): Promise<void>;
  /** Deletes an object, or a CRD and with it what it serves. */
  remove(path: string): Promise<void>;
  /** Replaces the status of an AutoUpdate in the namespace `shop`. */
  writeStatus(name: string, status: object): Promise<void>;
  close(): Promise<void>;
}

interface StoredObject {
  readonly metadata: { readonly uid: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: unknown;
  readonly status?: unknown;
}

interface NewObject {
  readonly metadata: { readonly name: string };
  readonly status: object;
}

/** Starts a registry with `repositories`, and a cluster with the objects that `objects` creates for it. */
export async function startClusterFixture(
  repositories: Readonly<Record<string, readonly string[]>>,
  objects: (registry: string) => readonly object[],
): Promise<ClusterFixture> {
  const registry = await startEmbeddedRegistry({ repositories });
  const cluster = await startEmbeddedCluster({ now: () => new Date(), objects: objects(registry.host) });
  const directory = await mkdtemp(join(tmpdir(), "pawl-cli-"));
  const kubeconfig = join(directory, "kubeconfig");
  await writeFile(kubeconfig, cluster.kubeconfig);
  const object = async (path: string) => (await (await fetch(`${cluster.url}/apis/${path}`)).json()) as StoredObject;
  const edit = (path: string, patch: object) =>
    send("PATCH", `${cluster.url}/apis/${path}`, patch, "application/merge-patch+json");
  const autoUpdates = "pawl.dev/v1alpha1/namespaces/shop/autoupdates";
  return {
    registry: registry.host,
    kubeconfig,
    cluster: openFixtureCluster(cluster.kubeconfig),
    pawl: (...args) => runPawl(args, { env: { KUBECONFIG: kubeconfig } }),
    object,
    annotations: async (path) => (await object(path)).metadata.annotations ?? {},
    annotate: (path, annotations) => edit(path, { metadata: { annotations } }),
    edit,
    writeStatus: (name, status) =>
      send("PATCH", `${cluster.url}/apis/${autoUpdates}/${name}/status`, { status }, "application/merge-patch+json"),
    async create(path, created) {
      await send("POST", `${cluster.url}/apis/${path}`, created, "application/json");
      const { status } = created;
      await send(
        "PATCH",
        `${cluster.url}/apis/${path}/${created.metadata.name}/status`,
        { status },
        "application/merge-patch+json",
      );
    },
    remove: (path) => send("DELETE", `${cluster.url}/apis/${path}`, {}, "application/json"),
    async close() {
      await Promise.all([cluster.close(), registry.close(), rm(directory, { recursive: true })]);
    },
  };
}

function openFixtureCluster(kubeconfig: string): Cluster {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromString(kubeconfig);
  const now = () => new Date();
  return createKubernetesCluster({ name: "fixture", kubeConfig, namespaces: null, now, warn: () => undefined });
}

async function send(method: string, url: string, body: object, type: string): Promise<void> {
  const response = await fetch(url, { method, body: JSON.stringify(body), headers: { "content-type": type } });
  if (!response.ok) throw new Error(`${method} ${url}: ${await response.text()}`);
}

/** Creates the AutoUpdate that Pawl made for a workload with annotations. */
export function autoUpdate(kind: string, name: string, status: object = {}, spec: object = {}) {
  return {
    apiVersion: "pawl.dev/v1alpha1",
    kind: "AutoUpdate",
    metadata: {
      name: `${kind.toLowerCase()}-${name}`,
      namespace: "shop",
      labels: { "app.kubernetes.io/managed-by": "pawl" },
    },
    spec: { targetRef: { apiVersion: "apps/v1", kind, name }, ...spec },
    status,
  };
}

/** Creates a Deployment, StatefulSet or DaemonSet with Pawl enabled. */
export function builtIn(kind: string, name: string, image: string, annotations: Readonly<Record<string, string>> = {}) {
  const labels = { app: name };
  return {
    apiVersion: "apps/v1",
    kind,
    metadata: { name, namespace: "shop", annotations: { "pawl.dev/auto-update": "true", ...annotations } },
    spec: {
      replicas: 1,
      serviceName: name,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "app", image }] } },
    },
  };
}
