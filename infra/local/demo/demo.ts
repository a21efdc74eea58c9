import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { UpdateEventDetail } from "../../../functions/ports/events.ts";
import type { Environment } from "../../../functions/settings.ts";
import { startEmbeddedCluster } from "../cluster/embedded-cluster.ts";
import type { BusEvent } from "../event-bridge/bus-event.ts";
import { startEmbeddedRegistry } from "../registry/embedded-registry.ts";
import type { Clock } from "../runtime/clock.ts";
import { demoTags, demoWorkloads, isHealthy } from "./workloads.ts";

export interface Demo {
  readonly environment: Environment;
  /** Moves the story on: a newer version appears once a circuit has opened. */
  onEvent(event: BusEvent): void;
  close(): Promise<void>;
}

/** A cluster and a registry in memory, with workloads that have something to update. */
export async function startDemo(clock: Clock): Promise<Demo> {
  const registry = await startEmbeddedRegistry({ repositories: demoTags });
  const cluster = await startEmbeddedCluster({
    now: clock.now,
    sleep: clock.sleep,
    health: isHealthy,
    secondsToReady: 10,
    objects: demoWorkloads(registry.host, clock.now()),
  });
  const folder = await mkdtemp(join(tmpdir(), "pawl-demo-"));
  const kubeconfig = join(folder, "kubeconfig");
  await writeFile(kubeconfig, cluster.kubeconfig, { mode: 0o600 });
  return {
    environment: {
      PAWL_KUBECONFIG: kubeconfig,
      PAWL_INSECURE_REGISTRIES: registry.host,
      PAWL_RUNTIME_IMAGES: `openclaw=${registry.host}/agents/openclaw`,
    },
    onEvent(event) {
      if (event["detail-type"] !== "Circuit Opened") return;
      const { workload } = event.detail as unknown as UpdateEventDetail;
      registry.push(`${workload.namespace}/${workload.name}`, "3.4.0");
    },
    async close() {
      await cluster.close();
      await registry.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
