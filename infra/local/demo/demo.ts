import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { annotations } from "../../../functions/domain/workload/policy/annotations.ts";
import type { UpdateEventDetail } from "../../../functions/ports/events.ts";
import { pollLeaseName } from "../../../functions/ports/poll-lease.ts";
import type { Environment } from "../../../functions/runtime/settings.ts";
import { startEmbeddedCluster } from "../kubernetes/cluster.ts";
import type { BusEvent } from "../event-bridge/bus-event.ts";
import { startEmbeddedRegistry } from "../registry/embedded-registry.ts";
import type { Clock } from "../runtime/clock.ts";
import { demoBootcAgent, demoNodePool, osRepository } from "./node-pool.ts";
import { demoTags, demoWorkloads, isHealthy, newPages } from "./workloads.ts";

interface Demo {
  readonly environment: Environment;
  /**
   * Reacts to events: pushes a newer version after a circuit opens, and a new image to a tracked tag after `web` is updated; requests a
   * rollback of `pages` after its update.
   */
  onEvent(event: BusEvent): void;
  close(): Promise<void>;
}

const newsRepository = "shop/news";

/** Starts a cluster and a registry in memory, with workloads and a node pool that have updates available. */
export async function startDemo(clock: Clock): Promise<Demo> {
  const registry = await startEmbeddedRegistry({ repositories: { ...demoTags, [osRepository]: ["stable"] } });
  const cluster = await startEmbeddedCluster({
    now: clock.now,
    sleep: clock.sleep,
    health: isHealthy,
    digestOf: (image) => registry.digestOf(image),
    secondsToReady: 10,
    objects: [
      {
        apiVersion: "coordination.k8s.io/v1",
        kind: "Lease",
        metadata: { name: pollLeaseName, namespace: "kube-system" },
      },
      ...demoNodePool(registry.host),
      ...demoWorkloads(registry.host, registry.digestOf(`${registry.host}/${newsRepository}:prod`) ?? "", clock.now()),
    ],
    bootcAgent: demoBootcAgent(registry.host),
  });
  const folder = await mkdtemp(join(tmpdir(), "pawl-demo-"));
  const kubeconfig = join(folder, "kubeconfig");
  await writeFile(kubeconfig, cluster.kubeconfig, { mode: 0o600 });
  return {
    environment: {
      PAWL_KUBECONFIG: kubeconfig,
      PAWL_INSECURE_REGISTRIES: registry.host,
      PAWL_NODE_POOLS: "1",
      PAWL_RELEASES: "true",
      PAWL_RUNTIME_IMAGES: `openclaw=${registry.host}/agents/openclaw`,
    },
    onEvent(event) {
      const { workload } = event.detail as unknown as Partial<UpdateEventDetail>;
      if (workload === undefined) return;
      const repository = `${workload.namespace}/${workload.name}`;
      if (event["detail-type"] === "Circuit Opened") registry.push(repository, "3.4.0");
      if (event["detail-type"] === "Update Succeeded" && repository === "shop/web")
        registry.rebuild(newsRepository, "prod");
      if (isRolledBackByPerson(event)) void requestRollback(cluster.url);
    },
    async close() {
      await cluster.close();
      await registry.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Reports whether a person of the demo does not like this update, although its pods are ready. */
function isRolledBackByPerson({ detail, "detail-type": type }: BusEvent): boolean {
  const { workload, version } = detail as unknown as Partial<UpdateEventDetail>;
  return type === "Update Succeeded" && workload?.name === "pages" && version === newPages;
}

/** Writes what `pawl rollback shop/pages` writes. */
async function requestRollback(url: string): Promise<void> {
  const response = await fetch(`${url}/apis/pawl.dev/v1alpha1/namespaces/shop/autoupdates/deployment-pages`, {
    method: "PATCH",
    headers: { "content-type": "application/merge-patch+json" },
    body: JSON.stringify({ metadata: { annotations: { [annotations.request]: "rollback demo-1" } } }),
  });
  if (!response.ok) throw new Error(`the demo requests a rollback: ${response.status}`);
}
