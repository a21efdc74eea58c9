import type { KubernetesObject, V1Node } from "@kubernetes/client-node";
import { type BootcNodeObject, digestOf, marks } from "../support/bootc/objects.ts";
import type { RealRegistry } from "../support/real-registry.ts";
import { type NodeLab, type Nodes, openNodeLab } from "./node-lab.ts";
import { startOwnPawl } from "./own-pawl.ts";
import type { Suite } from "./suite.ts";

/** A lab with a Pawl that polls all the time. Pools are cluster-wide: there is to be one at a time. */
export interface NodePoolLab extends NodeLab {
  /** Makes a pool of nodes, by the name that it then has. */
  poolOf(name: string, nodes: Nodes, ref: string, spec?: object): Promise<string>;
  /** Where a pool stands, in short. */
  stand(pool: string): Promise<Standing | null>;
  /** What has become of nodes, in short, by the last two digits of their names. */
  look(nodes: Nodes): Promise<Readonly<Record<string, Seen>>>;
  /** The names of what runs on nodes: Deployments and DaemonSets, each as often as it has pods there. */
  podsOn(nodes: Nodes): Promise<Readonly<Record<string, readonly string[]>>>;
  /** Reasons of the Events on an object that is cluster-wide, in the order of their times. */
  eventsOf(name: string): Promise<readonly string[]>;
  /** Polls that failed, and executions that ended broken: none are expected, ever. */
  readonly troubles: readonly string[];
}

export interface Standing {
  readonly upToDate: string | undefined;
  readonly degraded: string | undefined;
  /** Of the condition Degraded, with the names of nodes as they are in `look`. */
  readonly why: string | undefined;
  readonly breakdown: string | undefined;
  readonly deployed: string | undefined;
  readonly updateAvailable: boolean | undefined;
}

export interface Seen {
  /** Digests. */
  readonly booted: string | undefined;
  readonly staged: string | undefined;
  readonly asked: "Staged" | "Booted" | undefined;
  readonly owner: string | undefined;
  readonly isCordoned: boolean;
  readonly isManaged: boolean;
  readonly hasSlot: boolean;
}

const failures = new Set(["RolloutBroken", "Interrupted"]);

export async function openNodePoolLab(registry: RealRegistry): Promise<NodePoolLab> {
  const lab = await openNodeLab(registry);
  const { api, named } = lab;
  const troubles: string[] = [];
  const pawl = await startOwnPawl({
    namespace: lab.namespace,
    registry,
    environment: { PAWL_NODE_POOLS: "1", PAWL_TAG_RESOLUTION_SECONDS: "60" },
    speed: 60,
    onStateChange: ({ state, type, execution }) => {
      if (failures.has(state ?? "") && type.endsWith("StateEntered")) troubles.push(`${execution}: ${state}`);
    },
  });
  const closing = new AbortController();
  const polling = pawl.run(30, closing.signal, (report) => {
    const failed = report instanceof Error ? [report.message] : [...report.failed, ...report.pools.failed];
    for (const one of failed) troubles.push(JSON.stringify(one));
  });
  return {
    ...lab,
    troubles,
    async poolOf(name, { labels }, ref, spec = {}) {
      await lab.makePool(named(name), { nodeSelector: { matchLabels: labels }, image: { ref }, ...spec });
      return named(name);
    },
    async stand(name) {
      const pool = await api.pool(name);
      if (pool === null) return null;
      const { conditions = [], deployedDigest, updateAvailable } = pool.status ?? {};
      const of = (type: string) => conditions.find((condition) => condition.type === type);
      return {
        upToDate: of("UpToDate")?.reason,
        degraded: of("Degraded")?.reason,
        why: of("Degraded")?.message.replaceAll(/\blab\w+-\d+-(\d\d)/g, "$1"),
        breakdown: of("UpToDate")?.message,
        deployed: deployedDigest,
        updateAvailable,
      };
    },
    async look({ names }) {
      const [nodes, bootcNodes] = await Promise.all([api.core.listNode(), api.bootcNodes()]);
      const byName = <T extends KubernetesObject>(objects: readonly T[], name: string) =>
        objects.find(({ metadata }) => metadata?.name === name);
      const of = (name: string) => seen(byName(nodes.items, name), byName(bootcNodes, name));
      return Object.fromEntries(names.map((name) => [name.slice(-2), of(name)]));
    },
    async podsOn({ names }) {
      const { items } = await api.core.listNamespacedPod({ namespace: lab.namespace });
      const running = items.filter(({ metadata }) => metadata?.deletionTimestamp === undefined);
      const of = (node: string) =>
        running.flatMap(({ metadata, spec }) => (spec?.nodeName === node ? [metadata?.labels?.["app"] ?? ""] : []));
      return Object.fromEntries(names.map((name) => [name.slice(-2), of(name).sort()]));
    },
    async eventsOf(name) {
      const { items } = await api.core.listEventForAllNamespaces({ fieldSelector: `involvedObject.name=${name}` });
      const at = ({ firstTimestamp }: (typeof items)[number]) => firstTimestamp?.getTime() ?? 0;
      return items.toSorted((a, b) => at(a) - at(b)).map(({ reason }) => reason ?? "");
    },
    async close() {
      closing.abort();
      await polling;
      await pawl.close();
      await lab.close();
    },
  };
}

function seen(node?: V1Node, bootcNode?: BootcNodeObject): Seen {
  return {
    booted: bootcNode?.status?.booted?.imageDigest,
    staged: bootcNode?.status?.staged?.imageDigest,
    asked: bootcNode?.spec.desiredImageState,
    owner: bootcNode?.metadata?.ownerReferences?.[0]?.name,
    isCordoned: node?.spec?.unschedulable ?? false,
    isManaged: node?.metadata?.labels?.[marks.managed] !== undefined,
    hasSlot: bootcNode?.metadata?.annotations?.[marks.slot] !== undefined,
  };
}

/** A node that runs an image, with nothing left to be done about it. */
export function settledOn(image: string): Partial<Seen> {
  return { booted: digestOf(image), isCordoned: false, isManaged: true, hasSlot: false };
}

export interface StockedLab extends NodePoolLab {
  /** Two images of one repository, by digest. */
  readonly imageA: string;
  readonly imageB: string;
}

export async function openStockedLab(suite: Suite): Promise<StockedLab> {
  const lab = suite.closing(await openNodePoolLab(suite.registry));
  return { ...lab, imageA: await lab.push("os", "a"), imageB: await lab.push("os", "b") };
}
