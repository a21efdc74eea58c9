import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NodePool } from "../../functions/domain/node-pool/types.ts";
import { pollPools } from "../../functions/polling/pools/poll-pools.ts";
import { startEmbeddedCluster } from "../../infra/local/cluster/embedded-cluster.ts";
import { startLocalPawl } from "../../infra/local/runtime/local-pawl.ts";
import { startCountingProxy } from "./counting-proxy.ts";
import { clusterObjects, osImage, poolName } from "./objects.ts";
import type { Size, Times } from "./scenario.ts";
import { type Tally, tallied } from "./tally.ts";
import type { Traffic } from "./traffic.ts";
import { virtualClock } from "./virtual-clock.ts";

/** Pawl, a cluster in memory with agents on its nodes, and between them somebody who counts. */
export interface Lab {
  /** Of the cluster itself, past who counts. */
  readonly kubeconfigPath: string;
  /** Of the event bus. */
  readonly busUrl: string;
  now(): Date;
  /** Merges into the pool what somebody else would write. */
  patchPool(body: object): Promise<void>;
  pool(): Promise<NodePool>;
  /** The part of a poll that is about node pools. */
  poll(): Promise<void>;
  /** Does something after so many simulated seconds of an execution, which waits for it. */
  interrupt(seconds: number, act: () => Promise<void>): void;
  /** Resolves when no execution runs any more. */
  settled(): Promise<void>;
  /** What has passed, and what executions have cost, since it was asked last. */
  take(): { readonly traffic: Traffic; readonly tally: Tally };
  aside(act: () => Promise<unknown>): Promise<Traffic>;
  close(): Promise<void>;
}

export async function openLab(size: Size, times: Times): Promise<Lab> {
  const clock = virtualClock(new Date());
  const cluster = await startEmbeddedCluster({
    now: clock.now,
    sleep: clock.timer,
    nodes: 0,
    objects: clusterObjects(size),
    secondsToEnd: times.grace,
    bootcAgent: { bootedAtFirst: () => osImage(0), secondsToStage: times.staging, secondsToReboot: times.reboot },
  });
  const proxy = await startCountingProxy(cluster.url);
  const folder = await mkdtemp(join(tmpdir(), "pawl-node-pools-"));
  const [kubeconfigPath, countedPath] = [join(folder, "kubeconfig"), join(folder, "counted")];
  await writeFile(kubeconfigPath, cluster.kubeconfig);
  await writeFile(countedPath, cluster.kubeconfig.replaceAll(cluster.url, proxy.url));
  let tally: Tally = new Map();
  let whenSettled: readonly (() => void)[] = [];
  const pawl = await startLocalPawl({
    cluster: "bench",
    environment: { PAWL_KUBECONFIG: countedPath, PAWL_NODE_POOLS: "1" },
    clock,
    onStateChange(change) {
      tally = tallied(tally, change);
      // It costs a transition more than stands on paper.
      if (change.type === "TaskFailed")
        console.error(`${change.state} is tried again: ${change.error} ${change.cause}`);
      if (change.state !== null || pawl.running() > 0) return;
      for (const resolve of whenSettled) resolve();
    },
  });
  return {
    kubeconfigPath,
    busUrl: pawl.url,
    now: clock.now,
    interrupt: clock.interrupt,
    aside: (act) => proxy.aside(act),
    async patchPool(body) {
      const url = `${cluster.url}/apis/node.bootc.dev/v1alpha1/bootcnodepools/${poolName}`;
      const headers = { "content-type": "application/merge-patch+json" };
      const answer = await fetch(url, { method: "PATCH", headers, body: JSON.stringify(body) });
      if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    },
    async pool() {
      const [pool] = await pawl.ports.nodePools.list();
      if (pool === undefined) throw new Error("the pool is gone");
      return pool;
    },
    async poll() {
      const { failed } = await pollPools(pawl.ports, () => {}, new AbortController().signal);
      if (failed.length > 0) throw new Error(JSON.stringify(failed));
    },
    settled: () =>
      new Promise((resolve) => {
        whenSettled = [...whenSettled, resolve];
        if (pawl.running() === 0) resolve();
      }),
    take() {
      const taken = { traffic: proxy.take(), tally };
      tally = new Map();
      return taken;
    },
    async close() {
      await pawl.close();
      await proxy.close();
      await cluster.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
