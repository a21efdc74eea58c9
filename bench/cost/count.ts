import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { annotations } from "../../functions/domain/workload/policy/annotations.ts";
import { startEmbeddedCluster } from "../../infra/local/kubernetes/cluster.ts";
import { startEmbeddedRegistry } from "../../infra/local/registry/embedded-registry.ts";
import { type Clock, createClock } from "../../infra/local/runtime/clock.ts";
import { type LocalPawl, startLocalPawl } from "../../infra/local/runtime/local-pawl.ts";
import { createSkippingClock } from "./skipping-clock.ts";
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
  const changes: StateChange[] = [];
  await withSystem({ clock, secondsToReady, replicas: 3, onStateChange: (one) => changes.push(one) }, async (pawl) => {
    await pawl.poll();
    while (pawl.running() > 0) await clock.sleep(5);
  });
  if (!changes.some(({ type }) => type === "ExecutionSucceeded")) throw new Error("the update has not succeeded");
  return countChanges(changes);
}

/** Runs the update of a Deployment that is scaled to 0, for as many days, and counts what each of them adds. */
export async function countParkedDays(days: number): Promise<readonly UpdateCounts[]> {
  const clock = createSkippingClock(300);
  const since = clock.now().getTime();
  const byDay = Array.from({ length: days }, (): StateChange[] => []);
  const day = () => Math.floor((clock.now().getTime() - since) / 86_400_000);
  const onStateChange = (one: StateChange) => byDay[day()]?.push(one);
  await withSystem({ clock, secondsToReady: 5, replicas: 0, onStateChange }, async (pawl) => {
    await pawl.poll();
    // Without a long sleep to skip, a request or a short wait is under way: let it end.
    while (day() < days && pawl.running() > 0) if (!clock.skip()) await clock.sleep(5);
    if (pawl.running() !== 1) throw new Error(`${pawl.running()} executions are running, not one`);
  });
  return byDay.map(countChanges);
}

function countChanges(changes: readonly StateChange[]): UpdateCounts {
  const count = (wanted: RegExp) => changes.filter(({ type }) => wanted.test(type)).length;
  return { transitions: count(/StateEntered$/), invocations: count(/^TaskStateEntered$/) };
}

interface System {
  readonly clock: Clock;
  readonly secondsToReady: number;
  readonly replicas: number;
  readonly onStateChange: (change: StateChange) => void;
}

/** Runs `work` with the in-memory system, which has one Deployment and a newer version of it. */
async function withSystem(system: System, work: (pawl: LocalPawl) => Promise<void>): Promise<void> {
  const { clock, secondsToReady, replicas, onStateChange } = system;
  const registry = await startEmbeddedRegistry({ repositories: { "shop/web": ["1.0.0", "1.1.0"] } });
  const { now, sleep } = clock;
  const objects = [deployment(`${registry.host}/shop/web:1.0.0`, replicas)];
  const cluster = await startEmbeddedCluster({ now, sleep, secondsToReady, objects });
  const folder = await mkdtemp(join(tmpdir(), "pawl-cost-"));
  const kubeconfig = join(folder, "kubeconfig");
  await writeFile(kubeconfig, cluster.kubeconfig);
  const environment = { PAWL_KUBECONFIG: kubeconfig, PAWL_INSECURE_REGISTRIES: registry.host };
  const pawl = await startLocalPawl({ cluster: "cost", environment, clock, onStateChange });
  try {
    await work(pawl);
  } finally {
    await pawl.close();
    await Promise.all([cluster.close(), registry.close(), rm(folder, { recursive: true })]);
  }
}

function deployment(image: string, replicas: number): object {
  const labels = { app: "web" };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", namespace: "shop", annotations: { [annotations.autoUpdate]: "true" } },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "web", image }] } },
    },
  };
}
