import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NodePool } from "../../functions/domain/node-pool/pool/node-pool.ts";
import { pollNodePools } from "../../functions/workflows/poll/poll-node-pools.ts";
import { startEmbeddedCluster } from "../../infra/local/kubernetes/cluster.ts";
import { startLocalPawl } from "../../infra/local/runtime/local-pawl.ts";
import { countTraffic } from "./count-traffic.ts";
import { clusterObjects, osImage, poolName } from "./objects.ts";
import type { Size, Times } from "./scenario.ts";
import { type CostByExecution, countHistoryEvent } from "./counters.ts";
import type { Traffic } from "./traffic.ts";
import { createVirtualClock } from "./virtual-clock.ts";

/** Pawl, and an in-memory cluster with an agent on each node. */
export interface Harness {
  readonly kubeconfigPath: string;
  /** Endpoint of the event bus. */
  readonly busUrl: string;
  now(): Date;
  /** Applies a merge patch to the pool. */
  patchPool(body: object): Promise<void>;
  readPool(): Promise<NodePool>;
  /** Polls the node pools. */
  poll(): Promise<void>;
  /** Calls `run` after simulated seconds; the time stands still until it ends. */
  interrupt(seconds: number, run: () => Promise<void>): void;
  /** Resolves when no execution is running. */
  waitUntilIdle(): Promise<void>;
  /** Returns the traffic and the costs since the last call. */
  takeCounts(): { readonly traffic: Traffic; readonly costs: CostByExecution };
  /** Returns the traffic of `run` only, with compressed sizes. */
  countSeparately(run: () => Promise<unknown>): Promise<Traffic>;
  close(): Promise<void>;
}

export async function openHarness(size: Size, times: Times): Promise<Harness> {
  const clock = createVirtualClock(new Date());
  const cluster = await startEmbeddedCluster({
    now: clock.now,
    sleep: clock.timer,
    nodes: 0,
    objects: clusterObjects(size),
    secondsToTerminate: times.grace,
    bootcAgent: { initialImage: () => osImage(0), secondsToStage: times.staging, secondsToReboot: times.reboot },
  });
  const folder = await mkdtemp(join(tmpdir(), "pawl-node-pools-"));
  const kubeconfigPath = join(folder, "kubeconfig");
  await writeFile(kubeconfigPath, cluster.kubeconfig);
  const counter = countTraffic(cluster.url);
  let costs: CostByExecution = new Map();
  let idleListeners: readonly (() => void)[] = [];
  const pawl = await startLocalPawl({
    cluster: "bench",
    environment: { PAWL_KUBECONFIG: kubeconfigPath, PAWL_NODE_POOLS: "1" },
    clock,
    onStateChange(change) {
      costs = countHistoryEvent(costs, change);
      // A retry costs a transition that is not predicted.
      if (change.type === "TaskFailed")
        console.error(`${change.state}: failed, retrying: ${change.error}: ${change.cause}`);
      if (change.state !== null || pawl.running() > 0) return;
      for (const resolve of idleListeners) resolve();
    },
  });
  return {
    kubeconfigPath,
    busUrl: pawl.url,
    now: clock.now,
    interrupt: clock.interrupt,
    countSeparately: (run) => counter.countSeparately(run),
    async patchPool(body) {
      const url = `${cluster.url}/apis/node.bootc.dev/v1alpha1/bootcnodepools/${poolName}`;
      const headers = { "content-type": "application/merge-patch+json" };
      const response = await fetch(url, { method: "PATCH", headers, body: JSON.stringify(body) });
      if (!response.ok) throw new Error(`${poolName}: patch failed: ${response.status} ${await response.text()}`);
    },
    async readPool() {
      const [pool] = await pawl.ports.nodePools.list();
      if (pool === undefined) throw new Error(`${poolName}: pool not found`);
      return pool;
    },
    async poll() {
      const { failed } = await pollNodePools(pawl.ports, () => {}, new AbortController().signal);
      if (failed.length > 0) throw new Error(JSON.stringify(failed));
    },
    waitUntilIdle: () =>
      new Promise((resolve) => {
        idleListeners = [...idleListeners, resolve];
        if (pawl.running() === 0) resolve();
      }),
    takeCounts() {
      const counts = { traffic: counter.takeTraffic(), costs };
      costs = new Map();
      return counts;
    },
    async close() {
      await pawl.close();
      counter.close();
      await cluster.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
