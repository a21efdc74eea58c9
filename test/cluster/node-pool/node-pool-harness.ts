import type { KubernetesObject, V1Node } from "@kubernetes/client-node";
import { type BootcNodeObject, digestOf, metadataKeys } from "../../support/bootc/objects.ts";
import type { RealRegistry } from "../../support/real/real-registry.ts";
import { sortEvents } from "../harness.ts";
import { type NodeHarness, type Nodes, openNodeHarness } from "./node-harness.ts";
import { createClock } from "../../../infra/local/runtime/clock.ts";
import { startIsolatedPawl } from "../isolated-pawl.ts";
import type { Suite } from "../suite.ts";

/** A harness with a Pawl that polls continuously. Pools are cluster-scoped, so open one harness at a time. */
export interface NodePoolHarness extends NodeHarness {
  /** Creates a pool of nodes. Returns its unique name. */
  createPoolOf(name: string, nodes: Nodes, ref: string, spec?: object): Promise<string>;
  /** Returns a summary of the status of a pool, and null if it does not exist. */
  observePool(pool: string): Promise<PoolSummary | null>;
  /** Returns a summary of each node, keyed by the last two digits of its name. */
  observeNodes(nodes: Nodes): Promise<Readonly<Record<string, NodeSummary>>>;
  /** Returns the names of the Deployments and DaemonSets on each node, one for each pod. */
  podsOn(nodes: Nodes): Promise<Readonly<Record<string, readonly string[]>>>;
  /** Returns the reasons of the Events on a cluster-scoped object, in chronological order. */
  eventsOf(name: string): Promise<readonly string[]>;
  /** Writes the Ready condition of a Node, by the clock of Pawl. */
  flip(node: string, isReady: boolean): Promise<void>;
  /** Failed polls and executions. Always expected to be empty. */
  readonly failures: readonly string[];
}

export interface PoolSummary {
  readonly upToDate: string | undefined;
  readonly degraded: string | undefined;
  /** The message of the condition Degraded, with node names as in `observeNodes`. */
  readonly degradedMessage: string | undefined;
  readonly breakdown: string | undefined;
  readonly deployed: string | undefined;
  readonly updateAvailable: boolean | undefined;
}

export interface NodeSummary {
  /** Digests. */
  readonly booted: string | undefined;
  readonly staged: string | undefined;
  readonly desiredState: "Staged" | "Booted" | undefined;
  readonly owner: string | undefined;
  readonly isCordoned: boolean;
  readonly isManaged: boolean;
  readonly hasSlot: boolean;
}

const failureStates = new Set(["RolloutFailed", "ClusterUnreachable"]);

export async function openNodePoolHarness(registry: RealRegistry): Promise<NodePoolHarness> {
  const harness = await openNodeHarness(registry);
  const { api, uniqueName } = harness;
  const failures: string[] = [];
  const clock = createClock({ speed: 60, since: new Date() });
  const pawl = await startIsolatedPawl({
    namespace: harness.namespace,
    clock,
    registry,
    environment: { PAWL_NODE_POOLS: "1", PAWL_TAG_CACHE_SECONDS: "60" },
    onStateChange: ({ state, type, execution }) => {
      if (failureStates.has(state ?? "") && type.endsWith("StateEntered")) failures.push(`${execution}: ${state}`);
    },
  });
  const closing = new AbortController();
  const polling = pawl.run(30, closing.signal, (report) => {
    const failed = report instanceof Error ? [report.message] : [...report.failed, ...report.pools.failed];
    for (const one of failed) failures.push(JSON.stringify(one));
  });
  return {
    ...harness,
    failures,
    flip: (node, isReady) => api.setReady(node, isReady, clock.now()),
    async createPoolOf(name, { labels }, ref, spec = {}) {
      await harness.createPool(uniqueName(name), { nodeSelector: { matchLabels: labels }, image: { ref }, ...spec });
      return uniqueName(name);
    },
    async observePool(name) {
      const pool = await api.pool(name);
      if (pool === null) return null;
      const { conditions = [], deployedDigest, updateAvailable } = pool.status ?? {};
      const of = (type: string) => conditions.find((condition) => condition.type === type);
      return {
        upToDate: of("UpToDate")?.reason,
        degraded: of("Degraded")?.reason,
        degradedMessage: of("Degraded")?.message.replaceAll(/\btest\w+-\d+-(\d\d)/g, "$1"),
        breakdown: of("UpToDate")?.message,
        deployed: deployedDigest,
        updateAvailable,
      };
    },
    async observeNodes({ names }) {
      const [nodes, bootcNodes] = await Promise.all([api.core.listNode(), api.bootcNodes()]);
      const byName = <T extends KubernetesObject>(objects: readonly T[], name: string) =>
        objects.find(({ metadata }) => metadata?.name === name);
      const of = (name: string) => summarizeNode(byName(nodes.items, name), byName(bootcNodes, name));
      return Object.fromEntries(names.map((name) => [name.slice(-2), of(name)]));
    },
    async podsOn({ names }) {
      const { items } = await api.core.listNamespacedPod({ namespace: harness.namespace });
      const running = items.filter(({ metadata }) => metadata?.deletionTimestamp === undefined);
      const of = (node: string) =>
        running.flatMap(({ metadata, spec }) => (spec?.nodeName === node ? [metadata?.labels?.["app"] ?? ""] : []));
      return Object.fromEntries(names.map((name) => [name.slice(-2), of(name).sort()]));
    },
    async eventsOf(name) {
      const { items } = await api.core.listEventForAllNamespaces({ fieldSelector: `involvedObject.name=${name}` });
      return sortEvents(items).map(({ reason }) => reason ?? "");
    },
    async close() {
      closing.abort();
      await polling;
      await pawl.close();
      await harness.close();
    },
  };
}

function summarizeNode(node?: V1Node, bootcNode?: BootcNodeObject): NodeSummary {
  return {
    booted: bootcNode?.status?.booted?.imageDigest,
    staged: bootcNode?.status?.staged?.imageDigest,
    desiredState: bootcNode?.spec.desiredImageState,
    owner: bootcNode?.metadata?.ownerReferences?.[0]?.name,
    isCordoned: node?.spec?.unschedulable ?? false,
    isManaged: node?.metadata?.labels?.[metadataKeys.managed] !== undefined,
    hasSlot: bootcNode?.metadata?.annotations?.[metadataKeys.slot] !== undefined,
  };
}

/** Returns the summary of a node that runs an image and has no pending work. */
export function idleOn(image: string): Partial<NodeSummary> {
  return { booted: digestOf(image), isCordoned: false, isManaged: true, hasSlot: false };
}

export interface NodePoolHarnessWithImages extends NodePoolHarness {
  /** Two images of one repository, by digest. */
  readonly imageA: string;
  readonly imageB: string;
}

export async function openNodePoolHarnessWithImages(suite: Suite): Promise<NodePoolHarnessWithImages> {
  const harness = suite.closeAfterAll(await openNodePoolHarness(suite.registry));
  return { ...harness, imageA: await harness.push("os", "a"), imageB: await harness.push("os", "b") };
}
