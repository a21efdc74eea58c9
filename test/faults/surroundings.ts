import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { demoBootcAgent } from "../../infra/local/demo/node-pool.ts";
import { startEmbeddedCluster } from "../../infra/local/kubernetes/cluster.ts";
import { listen } from "../../infra/local/listen.ts";
import { startEmbeddedRegistry } from "../../infra/local/registry/embedded-registry.ts";
import type { Scenario } from "./scenario.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** Starts what Pawl works on: a cluster with the objects of a scenario, a registry and a Prometheus. */
export async function startSurroundings(scenario: Scenario, time: VirtualTime) {
  const registry = await startEmbeddedRegistry({ repositories: scenario.repositories });
  const prometheus = await startPrometheus(scenario.measurement ?? 0);
  const cluster = await startEmbeddedCluster({
    now: time.now,
    sleep: time.sleep,
    secondsToReady: 5,
    health: (image) => !image.endsWith("/bad:1.1.0"),
    digestOf: registry.digestOf,
    objects: scenario.objects({ registry: registry.host, prometheus: prometheus.url }),
    ...(scenario.plural === null ? { nodes: 0, bootcAgent: demoBootcAgent(registry.host) } : {}),
  });
  const kubeconfig = writeKubeconfig(cluster.kubeconfig);
  return {
    url: cluster.url,
    environment: {
      PAWL_KUBECONFIG: kubeconfig.path,
      PAWL_INSECURE_REGISTRIES: registry.host,
      PAWL_PROMETHEUS: prometheus.url,
    },
    async close() {
      kubeconfig.remove();
      await Promise.all([cluster.close(), registry.close(), prometheus.close()]);
    },
  };
}

/** Returns the same number for every query. */
async function startPrometheus(value: number) {
  const result = [{ metric: {}, value: [1, `${value}`] }];
  const body = JSON.stringify({ status: "success", data: { resultType: "vector", result } });
  const server = createServer((_, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(body),
  );
  const { host, close } = await listen(server);
  return { url: `http://${host}`, close };
}

/** Writes a kubeconfig to a new folder. */
function writeKubeconfig(text: string): { readonly path: string; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "pawl-faults-"));
  const path = join(folder, "kubeconfig");
  writeFileSync(path, text);
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
