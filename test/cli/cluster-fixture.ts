import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedCluster } from "../../infra/local/cluster/embedded-cluster.ts";
import { startEmbeddedRegistry } from "../../infra/local/registry/embedded-registry.ts";
import { type Ran, runPawl } from "./run-pawl.ts";

export interface ClusterFixture {
  /** `host:port` of the registry. */
  readonly registry: string;
  /** Runs the command on the cluster. */
  pawl(...args: readonly string[]): Promise<Ran>;
  /** The annotations of an object as they are now, by its path below the API: `apps/v1/namespaces/shop/deployments/web`. */
  annotations(path: string): Promise<Readonly<Record<string, string>>>;
  /** An object as it is now. */
  object(path: string): Promise<StoredObject>;
  /** Makes an object, and gives it its status. */
  create(path: string, object: NewObject): Promise<void>;
  close(): Promise<void>;
}

interface StoredObject {
  readonly metadata: { readonly uid: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: unknown;
}

interface NewObject {
  readonly metadata: { readonly name: string };
  readonly status: object;
}

/** A cluster with the workloads that `objects` makes for a registry with `repositories`. */
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
  return {
    registry: registry.host,
    pawl: (...args) => runPawl(args, { env: { KUBECONFIG: kubeconfig } }),
    object,
    annotations: async (path) => (await object(path)).metadata.annotations ?? {},
    async create(path, made) {
      await send("POST", `${cluster.url}/apis/${path}`, made, "application/json");
      const { status } = made;
      await send(
        "PATCH",
        `${cluster.url}/apis/${path}/${made.metadata.name}/status`,
        { status },
        "application/merge-patch+json",
      );
    },
    async close() {
      await Promise.all([cluster.close(), registry.close(), rm(directory, { recursive: true })]);
    },
  };
}

async function send(method: string, url: string, body: object, type: string): Promise<void> {
  const response = await fetch(url, { method, body: JSON.stringify(body), headers: { "content-type": type } });
  if (!response.ok) throw new Error(`${method} ${url}: ${await response.text()}`);
}

/** A Deployment or StatefulSet that has opted in. */
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
