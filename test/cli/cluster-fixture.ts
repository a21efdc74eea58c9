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
  close(): Promise<void>;
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
  return {
    registry: registry.host,
    pawl: (...args) => runPawl(args, { env: { KUBECONFIG: kubeconfig } }),
    async annotations(path) {
      const response = await fetch(`${cluster.url}/apis/${path}`);
      const { metadata } = (await response.json()) as { metadata: { annotations?: Record<string, string> } };
      return metadata.annotations ?? {};
    },
    async close() {
      await Promise.all([cluster.close(), registry.close(), rm(directory, { recursive: true })]);
    },
  };
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
