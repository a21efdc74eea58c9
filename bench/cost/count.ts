import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { annotations } from "../../functions/domain/workload/policy/annotations.ts";
import { startEmbeddedCluster } from "../../infra/local/kubernetes/cluster.ts";
import { startEmbeddedRegistry } from "../../infra/local/registry/embedded-registry.ts";
import { createClock } from "../../infra/local/runtime/clock.ts";
import { startLocalPawl } from "../../infra/local/runtime/local-pawl.ts";
import type { StateChange } from "../../infra/local/step-functions/execution.ts";

/** What one update does on AWS. */
export interface UpdateCounts {
  /** States that its execution entered: what Step Functions charges for. */
  readonly transitions: number;
  /** Invocations of functions by its execution. */
  readonly invocations: number;
}

interface Options {
  /** Seconds from the start of a pod to its readiness. */
  readonly secondsToReady: number;
  readonly speed: number;
}

/** Runs the update of one Deployment on the in-memory system, and counts its transitions and invocations. */
export async function countUpdate({ secondsToReady, speed }: Options): Promise<UpdateCounts> {
  const clock = createClock({ speed, since: new Date() });
  const registry = await startEmbeddedRegistry({ repositories: { "shop/web": ["1.0.0", "1.1.0"] } });
  const { now, sleep } = clock;
  const objects = [deployment(`${registry.host}/shop/web:1.0.0`)];
  const cluster = await startEmbeddedCluster({ now, sleep, secondsToReady, objects });
  const folder = await mkdtemp(join(tmpdir(), "pawl-cost-"));
  const kubeconfig = join(folder, "kubeconfig");
  await writeFile(kubeconfig, cluster.kubeconfig);
  const changes: StateChange[] = [];
  const environment = { PAWL_KUBECONFIG: kubeconfig, PAWL_INSECURE_REGISTRIES: registry.host };
  const pawl = await startLocalPawl({ cluster: "cost", environment, clock, onStateChange: (one) => changes.push(one) });
  try {
    await pawl.poll();
    while (pawl.running() > 0) await sleep(5);
    if (!changes.some(({ type }) => type === "ExecutionSucceeded")) throw new Error("the update has not succeeded");
    const count = (wanted: RegExp) => changes.filter(({ type }) => wanted.test(type)).length;
    return { transitions: count(/StateEntered$/), invocations: count(/^TaskStateEntered$/) };
  } finally {
    await pawl.close();
    await Promise.all([cluster.close(), registry.close(), rm(folder, { recursive: true })]);
  }
}

function deployment(image: string): object {
  const labels = { app: "web" };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", namespace: "shop", annotations: { [annotations.autoUpdate]: "true" } },
    spec: {
      replicas: 3,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "web", image }] } },
    },
  };
}
