import type { Checks } from "../ports/checks.ts";
import type { Cluster } from "../ports/cluster.ts";
import type { Commands } from "../ports/commands.ts";
import type { Events } from "../ports/events.ts";
import type { Executions } from "../ports/executions.ts";
import type { MetricSources } from "../ports/metric-source.ts";
import type { NodePools } from "../ports/node-pools.ts";
import type { PoolChecks } from "../ports/pool-checks.ts";
import type { Polls } from "../ports/polls.ts";
import type { Registry } from "../ports/registry.ts";

// Each port loads its adapter, and the client behind it, at its first call: what a function does not use costs it nothing.

type Open<Port> = () => Promise<Port>;

/** Opens once. Where that failed, the next call tries again. */
export function once<Port>(open: Open<Port>): Open<Port> {
  let opening: Promise<Port> | null = null;
  return () => {
    opening ??= open().catch((error: unknown) => {
      opening = null;
      throw error;
    });
    return opening;
  };
}

export function lazyCluster(name: string, open: Open<Cluster>): Cluster {
  return {
    name,
    async *list(onRefused) {
      yield* (await open()).list(onRefused);
    },
    read: async (ref) => (await open()).read(ref),
    change: async (workload, change) => (await open()).change(workload, change),
    freeStuckPods: async (workload, image) => (await open()).freeStuckPods(workload, image),
    runningDigests: async (workload) => (await open()).runningDigests(workload),
    pullLogins: async (workload) => (await open()).pullLogins(workload),
    readAnalysis: async (workload, analysis) => (await open()).readAnalysis(workload, analysis),
    announce: async (workload, announcement) => (await open()).announce(workload, announcement),
  };
}

export function lazyRegistry(open: Open<Registry>): Registry {
  return {
    listTags: async (image, logins) => (await open()).listTags(image, logins),
    digestOf: async (image, logins) => (await open()).digestOf(image, logins),
    digestsOf: async (image, logins) => (await open()).digestsOf(image, logins),
  };
}

export function lazyExecutions<Input>(open: Open<Executions<Input>>): Executions<Input> {
  return {
    start: async (name, input) => (await open()).start(name, input),
    state: async (name) => (await open()).state(name),
  };
}

export function lazyEvents(open: Open<Events>): Events {
  return {
    publish: async (type, detail) => (await open()).publish(type, detail),
    publishPool: async (type, detail) => (await open()).publishPool(type, detail),
  };
}

export function lazyMetricSources(open: Open<MetricSources>): MetricSources {
  return async (address) => (await open())(address);
}

export function lazyNodePools(open: Open<NodePools>): NodePools {
  return {
    list: async () => (await open()).list(),
    read: async (ref) => (await open()).read(ref),
    nodes: async (form) => (await open()).nodes(form),
    write: async (pool, node, step) => (await open()).write(pool, node, step),
    remember: async (node, told) => (await open()).remember(node, told),
    pods: async (node) => (await open()).pods(node),
    evict: async (pod) => (await open()).evict(pod),
    claim: async (pool, execution) => (await open()).claim(pool, execution),
    release: async (pool, isLetGo) => (await open()).release(pool, isLetGo),
    saveStatus: async (pool, status) => (await open()).saveStatus(pool, status),
    setPaused: async (pool, paused) => (await open()).setPaused(pool, paused),
    report: async (node, report) => (await open()).report(node, report),
    pullSecret: async (ref) => (await open()).pullSecret(ref),
    announce: async (subject, announcement) => (await open()).announce(subject, announcement),
  };
}

export function lazyCommands(open: Open<Commands>): Commands {
  return {
    send: async (instance, command) => (await open()).send(instance, command),
    result: async (instance, id) => (await open()).result(instance, id),
  };
}

export function lazyPoolChecks(open: Open<PoolChecks>): PoolChecks {
  return { record: async (pool, resolution) => (await open()).record(pool, resolution) };
}

export function lazyPolls(open: Open<Polls>): Polls {
  return { goOn: async (rest) => (await open()).goOn(rest) };
}

export function lazyChecks(open: Open<Checks>): Checks {
  return { record: async (workload, decision) => (await open()).record(workload, decision) };
}
