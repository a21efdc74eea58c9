import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { parse } from "yaml";
import { startEmbeddedCluster } from "../../../infra/local/kubernetes/cluster.ts";
import { startEmbeddedRegistry } from "../../../infra/local/registry/embedded-registry.ts";
import { startLocalPawl } from "../../../infra/local/runtime/local-pawl.ts";
import { currentState } from "../../../functions/domain/state/current-state.ts";
import type { GitRepository } from "../../../functions/ports/git-repository.ts";
import { openStandIn } from "../../adapters/github/open.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { manifest } from "../../support/git/manifest.ts";

interface Deployment {
  readonly metadata: { readonly generation: number };
  readonly spec: {
    readonly template: { readonly spec: { readonly containers: readonly [{ readonly image: string }] } };
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly readyReplicas?: number;
    readonly replicas?: number;
  };
}

/** A clock that only `advance` moves, but for 1 ms whenever it is read. */
function createSteppedClock(since: Date) {
  const sleeping = new Set<{ readonly until: number; readonly wake: () => void }>();
  let time = since.getTime();
  return {
    now: () => new Date((time += 1)),
    waitScale: 0,
    sleep: (seconds: number, signal?: AbortSignal) =>
      new Promise<void>((resolve) => {
        const sleeper = { until: time + seconds * 1000, wake };
        function wake(): void {
          sleeping.delete(sleeper);
          resolve();
        }
        sleeping.add(sleeper);
        signal?.addEventListener("abort", wake, { once: true });
      }),
    sleeping: () => sleeping.size,
    /** Wakes the first that sleeps. */
    advance(): void {
      time = Math.max(time, Math.min(...[...sleeping].map(({ until }) => until)));
      for (const { until, wake } of sleeping) if (until <= time) wake();
    },
  };
}

/**
 * Starts the local system and Deployments whose images are in a repository of GitHub's stand-in. Nothing depends on how fast the machine is:
 * time passes only once all executions wait, and what the repository says has come to the pods.
 */
export async function startGitPawl(
  names: readonly string[],
  isHealthy: (image: string) => boolean = () => true,
  mode: GitRepository["mode"] = "commit",
) {
  const clock = createSteppedClock(new Date("2026-01-01T00:00:00Z"));
  const registry = await startEmbeddedRegistry({ repositories: { "shop/app": ["1.0.0", "1.1.0"] } });
  const image = `${registry.host}/shop/app`;
  const pathOf = (name: string) => `apps/${name}.yaml`;
  const initial = Object.fromEntries(names.map((name) => [pathOf(name), manifest(name, `${image}:1.0.0`)]));
  const initialFiles = { ...initial, "README.md": "# Shop\n" };
  const hostClock = {
    get now() {
      return clock.now();
    },
  };
  const { git, host } = await openStandIn(initialFiles, { name: "config", mode, now: clock.now }, { clock: hostClock });
  const cluster = await startEmbeddedCluster({
    now: clock.now,
    sleep: async () => {},
    health: isHealthy,
    objects: Object.values(initial).map((text) => parse(text) as object),
  });
  const folder = await mkdtemp(join(tmpdir(), "pawl-git-e2e-"));
  const kubeconfig = join(folder, "kubeconfig");
  await writeFile(kubeconfig, cluster.kubeconfig);
  const ends: string[] = [];
  const pawl = await startLocalPawl({
    cluster: "local",
    clock,
    environment: {
      PAWL_KUBECONFIG: kubeconfig,
      PAWL_INSECURE_REGISTRIES: registry.host,
      PAWL_LIMITS: JSON.stringify({ maxConcurrent: 100 }),
      PAWL_GIT: JSON.stringify([{ name: "config", namespaces: null, access: null }]),
    },
    onStateChange: ({ type, state }) => void (/^(Succeed|Fail)StateEntered$/.test(type) && ends.push(state ?? "")),
  });
  // Secrets Manager is the only part of AWS that this process does not serve.
  Object.assign(pawl.ports, { git: async () => git });
  onTestFinished(async () => {
    await pawl.close();
    await cluster.close();
    await registry.close();
    await rm(folder, { recursive: true });
  });

  let applied = host.state.repository.head("main");
  const request = async (name: string, init: RequestInit = {}): Promise<Deployment> => {
    const response = await fetch(`${cluster.url}/apis/apps/v1/namespaces/shop/deployments/${name}`, init);
    if (!response.ok) throw new Error(`${name}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Deployment;
  };
  /** Applies the head of the branch like Argo CD and Flux, and waits for the pods. */
  async function reconcile(): Promise<void> {
    const head = host.state.repository.head("main");
    if (head === applied) return;
    applied = head;
    const { listTree, readBlob } = host.state.repository;
    const files = new Map(listTree(head ?? "", true)?.map(({ path, sha }) => [path, sha]));
    const apply = async (name: string) => {
      const body = JSON.stringify(parse(readBlob(files.get(pathOf(name)) ?? "")?.toString() ?? "") as object);
      const headers = { "content-type": "application/strategic-merge-patch+json" };
      await request(name, { method: "PATCH", headers, body });
      await eventually(`${name} is rolled out`, async () => isRolledOut(await request(name)));
    };
    await Promise.all(names.map(apply));
  }
  /** The surge of a bad version stays beside the pod of the version before. */
  function isRolledOut({ metadata, spec, status = {} }: Deployment): boolean {
    if (status.observedGeneration !== metadata.generation || status.readyReplicas !== 1) return false;
    return status.replicas === (isHealthy(spec.template.spec.containers[0].image) ? 1 : 2);
  }

  return {
    host,
    image,
    ends,
    registry,
    now: clock.now,
    poll: () => pawl.poll(),
    /** Asks for something as `pawl` does. */
    async ask(verb: "retry" | "abort") {
      for await (const one of pawl.ports.cluster.list())
        await pawl.ports.cluster.request(one, { verb, argument: null, token: verb });
    },
    /** Why the last attempts ended. */
    async reasons() {
      const found: (string | null | undefined)[] = [];
      for await (const { updateRecord } of pawl.ports.cluster.list())
        found.push(...updateRecord.versionHistory.map(({ reason }) => reason));
      return found;
    },
    /** How people see a workload. */
    async states() {
      const found: string[] = [];
      for await (const one of pawl.ports.cluster.list()) {
        const { state, reason, message } = currentState(one, clock.now());
        found.push(`${one.ref.name} ${state} ${reason}: ${message}`);
      }
      return found;
    },
    /** Polls, and runs the executions to their ends. `atStep` is called whenever all of them wait, before the repository is applied. */
    async run(atStep: () => Promise<void> = async () => {}) {
      const report = await pawl.poll();
      for (;;) {
        while (clock.sleeping() !== pawl.running()) await pause(1);
        if (pawl.running() === 0) return report;
        await atStep();
        await reconcile();
        clock.advance();
      }
    },
    read: (name: string) => host.read(pathOf(name)),
    push: (name: string, text: string) => host.push({ [pathOf(name)]: text }),
    /** The images that the cluster has, and what is recorded. */
    async workloads() {
      const found: object[] = [];
      for await (const { ref, image: running, inFlight, updateRecord } of pawl.ports.cluster.list()) {
        const { versionHistory, minimumVersion: minimum } = updateRecord;
        const results = versionHistory.map(({ version, status }) => `${version} ${status}`);
        found.push({ name: ref.name, tag: running?.replace(`${image}:`, ""), inFlight, results, minimum });
      }
      return found;
    },
  };
}
