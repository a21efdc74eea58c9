import { isDeepStrictEqual } from "node:util";
import { Conflict, Refused } from "../../functions/adapters/errors.ts";
import type { DrainedPod } from "../../functions/domain/node-pool/drain.ts";
import type { NodePool, PoolNode } from "../../functions/domain/node-pool/types.ts";
import type { Announcement } from "../../functions/ports/cluster.ts";
import type { NodePools, NodeWrite, PullSecret, Subject } from "../../functions/ports/node-pools.ts";
import { afterReport } from "./after-report.ts";
import { afterStep } from "./after-step.ts";
import { type AtMoment, guarded } from "./fake-cluster.ts";

export interface FakeNodePools extends NodePools {
  /** As it stands there now. Throws where it is gone. */
  pool(name: string): NodePool;
  node(name: string): PoolNode;
  /** Puts it there as somebody else would: with a new resourceVersion, whatever stood there before. */
  putPool(pool: NodePool): void;
  putNode(node: PoolNode): void;
  putPods(node: string, pods: readonly DrainedPod[]): void;
  remove(pool: string): void;
  /** What was written to nodes, oldest first. */
  readonly writes: readonly { readonly node: string; readonly step: NodeWrite }[];
  /** Events as kubectl would list them: one of each object, reason and key. */
  events(): readonly (Announcement & { readonly about: string })[];
  /** How often nodes were read, by form. */
  readonly reads: { whole: number; outline: number };
}

export type Refuses = (node: string, step: NodeWrite["kind"] | "remember" | "report") => string | null;

export interface FakeNodePoolsOptions {
  readonly pools?: readonly NodePool[];
  readonly nodes?: readonly PoolNode[];
  readonly pods?: Readonly<Record<string, readonly DrainedPod[]>>;
  /** Whether a PodDisruptionBudget keeps the pod for now. */
  readonly isKept?: (pod: DrainedPod) => boolean;
  /** Why admission refuses what is to be written of a node; null where it does not. */
  readonly refuses?: Refuses;
  readonly secret?: PullSecret;
  readonly now: () => Date;
  readonly atMoment?: AtMoment;
}

/** Node pools in memory. No agent runs on the nodes: a test says what they report. */
export function fakeNodePools(options: FakeNodePoolsOptions): FakeNodePools {
  const { atMoment = () => {}, isKept = () => false, refuses = () => null, now } = options;
  const pools = new Map((options.pools ?? []).map((pool) => [pool.uid, pool]));
  const nodes = new Map((options.nodes ?? []).map((node) => [node.name, node]));
  const pods = new Map(Object.entries(options.pods ?? {}));
  const announced = new Map<string, Announcement & { readonly about: string }>();
  const writes: { readonly node: string; readonly step: NodeWrite }[] = [];
  const reads = { whole: 0, outline: 0 };
  let version = 100;
  const next = () => `${(version += 1)}`;

  function changePool({ uid, name, resourceVersion }: NodePool, change: Partial<NodePool>): NodePool {
    const stored = pools.get(uid);
    if (stored === undefined || stored.resourceVersion !== resourceVersion)
      throw new Conflict(`pool ${name} has changed`);
    const changed = { ...stored, ...change, resourceVersion: next() };
    pools.set(uid, changed);
    return changed;
  }

  function admit(...write: Parameters<Refuses>): void {
    const why = refuses(...write);
    if (why !== null) throw new Refused(why);
  }

  /** Raises the version of whatever has changed. */
  function store(node: PoolNode): PoolNode {
    const before = nodes.get(node.name);
    const versioned = <T extends { readonly resourceVersion: string }>(one: T | null, former: T | null): T | null =>
      one === null || (former !== null && isDeepStrictEqual(one, former)) ? one : { ...one, resourceVersion: next() };
    const stored = {
      name: node.name,
      node: versioned(node.node, before?.node ?? null),
      bootcNode: versioned(node.bootcNode, before?.bootcNode ?? null),
    };
    nodes.set(node.name, stored);
    return stored;
  }

  return {
    writes,
    reads,
    pool: (name) =>
      found(
        [...pools.values()].find((pool) => pool.name === name),
        name,
      ),
    node: (name) => found(nodes.get(name), name),
    putPool: (pool) => void pools.set(pool.uid, { ...pool, resourceVersion: next() }),
    putNode: (node) => void store(node),
    putPods: (node, those) => void pods.set(node, those),
    remove: (name) =>
      void pools.delete(
        found(
          [...pools.values()].find((pool) => pool.name === name),
          name,
        ).uid,
      ),
    events: () => [...announced.values()],
    list: () => guarded(atMoment, "list pools", () => [...pools.values()]),
    read: ({ uid }) => guarded(atMoment, "read pool", () => pools.get(uid) ?? null),
    nodes: (form) =>
      guarded(atMoment, `${form} nodes`, () => {
        if (form !== "cordoned") reads[form] += 1;
        const all = [...nodes.values()].filter(({ node, bootcNode }) => node !== null || bootcNode !== null);
        if (form === "cordoned") return all.filter(({ node }) => node?.unschedulable);
        return form === "whole" ? all : all.map(outlined);
      }),
    write: (pool, node, step) =>
      guarded(atMoment, `write ${step.kind}`, () => {
        if (!isSame(nodes.get(node.name), node)) throw new Conflict(`${node.name} has changed`);
        admit(node.name, step.kind);
        writes.push({ node: node.name, step });
        return store(afterStep(node, step, { pool: { name: pool.name, uid: pool.uid }, now: now() }));
      }),
    remember: ({ name }, told) =>
      guarded(atMoment, "remember", () => {
        admit(name, "remember");
        const { bootcNode, ...rest } = found(nodes.get(name), name);
        store({ ...rest, bootcNode: bootcNode === null ? null : { ...bootcNode, told } });
      }),
    pods: (node) => guarded(atMoment, "pods", () => pods.get(node) ?? []),
    evict: (pod) =>
      guarded(atMoment, "evict", () => {
        if (isKept(pod)) return { kind: "refused", reason: "a PodDisruptionBudget keeps it" };
        for (const [node, those] of pods)
          pods.set(
            node,
            those.filter(({ uid }) => uid !== pod.uid),
          );
        return { kind: "evicted" };
      }),
    claim: (pool, execution) =>
      guarded(atMoment, "claim", () =>
        changePool(pool, { execution, hasFinalizer: pool.hasFinalizer || !pool.isBeingDeleted }),
      ),
    release: (pool, isLetGo) =>
      guarded(atMoment, "release", () => {
        changePool(pool, { execution: null });
        if (isLetGo) pools.delete(pool.uid);
      }),
    saveStatus: (pool, status) => guarded(atMoment, "saveStatus", () => changePool(pool, { status })),
    setPaused: (pool, paused) =>
      guarded(
        atMoment,
        "setPaused",
        () => void changePool(pool, { spec: { ...pool.spec, paused }, generation: pool.generation + 1 }),
      ),
    report: (node, report) =>
      guarded(atMoment, "report", () => {
        if (!isSame(nodes.get(node.name), node)) throw new Conflict(`${node.name} has changed`);
        admit(node.name, "report");
        return store({
          ...node,
          bootcNode: node.bootcNode === null ? null : afterReport(node.bootcNode, report),
        });
      }),
    pullSecret: async () => options.secret ?? { kind: "problem", reason: "there is no such secret" },
    announce: (subject, announcement) =>
      guarded(atMoment, "announce", () => {
        const about = nameOf(subject);
        announced.set([about, announcement.reason, announcement.key].join("\n"), { ...announcement, about });
      }),
  };
}

function outlined({ node, ...rest }: PoolNode): PoolNode {
  return { ...rest, node: node === null ? null : { ...node, ready: true, unschedulable: false } };
}

function isSame(stored: PoolNode | undefined, read: PoolNode): boolean {
  const versions = (of: PoolNode | undefined) => [of?.node?.resourceVersion, of?.bootcNode?.resourceVersion];
  return isDeepStrictEqual(versions(stored), versions(read));
}

function nameOf(subject: Subject): string {
  return subject.kind === "pool" ? subject.pool.name : subject.node.name;
}

function found<T>(one: T | undefined, name: string): T {
  if (one === undefined) throw new Error(`there is no ${name}`);
  return one;
}
