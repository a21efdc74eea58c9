import { setTimeout as pause } from "node:timers/promises";
import { KubernetesObjectApi, type KubernetesObject, PatchStrategy } from "@kubernetes/client-node";
import { onTestFinished } from "vitest";
import { parse } from "yaml";
import { createClock } from "../../../infra/local/runtime/clock.ts";
import { openStandIn } from "../../adapters/github/open.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { manifest } from "../../support/git/manifest.ts";
import { openAutoUpdateHarness } from "../auto-update/auto-update-harness.ts";
import { waitUntilReady } from "../harness.ts";
import { startIsolatedPawl } from "../isolated-pawl.ts";
import type { Suite } from "../suite.ts";

const secondsBetweenSyncs = 2;

/** Starts Pawl beside Deployments whose repository a controller reads every two seconds: each commit is a server-side apply, as of Flux and Argo CD. */
export async function startGitCluster(
  suite: Suite,
  repository: string,
  names: readonly string[] = ["web"],
  healthTimeout = "30m",
) {
  const harness = await openAutoUpdateHarness(suite);
  const { namespace, kubeConfig } = harness;
  const image = (tag: string) => `${suite.registry.host}/shop/${repository}:${tag}`;
  const text = (name: string, tag: string) => manifest(name, image(tag), namespace, healthTimeout);
  const pathOf = (name: string) => `apps/${name}.yaml`;
  const initial = Object.fromEntries(names.map((name) => [pathOf(name), text(name, "1.0.0")]));
  const running = createClock({ speed: 20, since: new Date() });
  const clock = {
    get now() {
      return running.now();
    },
  };
  const { git, host } = await openStandIn(initial, { name: "config", now: running.now }, { clock });
  const ends: string[] = [];
  const pawl = suite.closeAfterAll(
    await startIsolatedPawl({
      namespace,
      registry: suite.registry,
      clock: { ...running, sleep: createBarrier(names.length, running.sleep) },
      environment: { PAWL_GIT: JSON.stringify([{ name: "config", namespaces: null, access: null }]) },
      onStateChange: ({ type, state }) => void (/^(Succeed|Fail)StateEntered$/.test(type) && ends.push(state ?? "")),
    }),
  );
  Object.assign(pawl.ports, { git: async () => git });

  const objects = KubernetesObjectApi.makeApiClient(kubeConfig);
  let applied: string | null = null;
  async function apply(): Promise<void> {
    const head = host.state.repository.head("main");
    if (head === applied) return;
    const texts = await Promise.all(names.map((name) => host.read(pathOf(name))));
    const bodies = texts.map((one) => parse(one ?? "") as KubernetesObject);
    const options = [undefined, undefined, "kustomize-controller", true, PatchStrategy.ServerSideApply] as const;
    await Promise.all(bodies.map((body) => objects.patch(body, ...options)));
    applied = head;
  }
  let isSuspended = false;
  const stopping = new AbortController();
  const loop = (async () => {
    while (!stopping.signal.aborted) {
      if (!isSuspended) await apply();
      await pause(secondsBetweenSyncs * 1000);
    }
  })();
  onTestFinished(async () => {
    stopping.abort();
    await loop;
  });
  for (const name of names) await waitUntilReady(kubeConfig, namespace, "Deployment", name);

  return {
    namespace,
    host,
    pawl,
    ends,
    text,
    suspend: (to: boolean) => void (isSuspended = to),
    read: (name: string) => host.read(pathOf(name)),
    push: (name: string, tag: string) => host.push({ [pathOf(name)]: text(name, tag) }),
    /** Polls, and waits for the executions that this starts. */
    async run() {
      const report = await pawl.poll();
      await eventually("the executions end", async () => pawl.running() === 0);
      return report;
    },
    /** What runs, and what is recorded, of each workload. */
    async workloads() {
      const found = [];
      for await (const { image: runs, inFlight, updateRecord } of pawl.ports.cluster.list()) {
        const { versionHistory, minimumVersion: minimum } = updateRecord;
        const results = versionHistory.map(({ version, status }) => `${version} ${status}`);
        found.push({ tag: runs?.replace(image(""), ""), inFlight, results, minimum });
      }
      return found;
    },
  };
}

/** Lets nobody wait before as many do: all executions of a poll claim before one commits, also on a slow machine. */
function createBarrier(count: number, sleep: (seconds: number, signal?: AbortSignal) => Promise<void>) {
  const { promise: allWait, resolve } = Promise.withResolvers<void>();
  let waiting = 0;
  return async (seconds: number, signal?: AbortSignal) => {
    if ((waiting += 1) === count) resolve();
    await allWait;
    return sleep(seconds, signal);
  };
}
