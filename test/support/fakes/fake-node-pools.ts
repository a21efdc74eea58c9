import { isDeepStrictEqual } from "node:util";
import { Conflict, AdmissionDenied, Forbidden } from "../../../functions/ports/errors.ts";
import type { DrainedPod } from "../../../functions/domain/node-pool/node/drain.ts";
import type { PoolNode } from "../../../functions/domain/node-pool/node/bootc-node.ts";
import type { NodePool } from "../../../functions/domain/node-pool/pool/node-pool.ts";
import type { KubernetesEvent } from "../../../functions/ports/cluster.ts";
import type { NodePools, NodeWrite, PullSecret, Subject } from "../../../functions/ports/node-pools.ts";
import { applyReport } from "./apply-report.ts";
import { applyStep } from "./apply-step.ts";
import { type AtMoment, guarded } from "../fake-cluster.ts";

export interface FakeNodePools extends NodePools {
  /** Returns the stored pool. Throws if it was deleted. */
  pool(name: string): NodePool;
  node(name: string): PoolNode;
  /** Stores a pool like another client, with a new resourceVersion. */
  putPool(pool: NodePool): void;
  putNode(node: PoolNode): void;
  putPods(node: string, pods: readonly DrainedPod[]): void;
  remove(pool: string): void;
  /** Writes to nodes, oldest first. */
  readonly writes: readonly { readonly node: string; readonly step: NodeWrite }[];
  /** Events as kubectl lists them: one for each object, reason and key. */
  events(): readonly (KubernetesEvent & { readonly about: string })[];
  /** Count of node reads, by scope. */
  readonly reads: { full: number; metadata: number };
}

export type DenialReason = (
  node: string,
  step: NodeWrite["kind"] | "recordEmittedEvents" | "writeAgentReport",
) => string | null;

export interface FakeNodePoolsOptions {
  readonly pools?: readonly NodePool[];
  readonly nodes?: readonly PoolNode[];
  readonly pods?: Readonly<Record<string, readonly DrainedPod[]>>;
  /** Reports whether a PodDisruptionBudget blocks the eviction of a pod. */
  readonly isBlocked?: (pod: DrainedPod) => boolean;
  /** Returns why admission denies a write to a node; null if it allows the write. */
  readonly denialReason?: DenialReason;
  /** Whether pods may be deleted; true by default. */
  readonly mayDeletePods?: boolean;
  readonly etcdNodes?: readonly string[];
  readonly secret?: PullSecret;
  readonly now: () => Date;
  readonly atMoment?: AtMoment;
}

/** Creates node pools in memory. No agent runs on the nodes: tests write their reports. */
export function fakeNodePools(options: FakeNodePoolsOptions): FakeNodePools {
  const { atMoment = () => {}, isBlocked = () => false, denialReason = () => null, now } = options;
  const pools = new Map((options.pools ?? []).map((pool) => [pool.uid, pool]));
  const nodes = new Map((options.nodes ?? []).map((node) => [node.name, node]));
  const pods = new Map(Object.entries(options.pods ?? {}));
  const emitted = new Map<string, KubernetesEvent & { readonly about: string }>();
  const writes: { readonly node: string; readonly step: NodeWrite }[] = [];
  const reads = { full: 0, metadata: 0 };
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

  function admit(...write: Parameters<DenialReason>): void {
    const reason = denialReason(...write);
    if (reason !== null) throw new AdmissionDenied(reason);
  }

  function removePod({ uid: removed }: DrainedPod) {
    for (const [node, placed] of pods)
      pods.set(
        node,
        placed.filter(({ uid }) => uid !== removed),
      );
    return { kind: "evicted" } as const;
  }

  /** Stores a node, with a new resourceVersion for each changed object. */
  function store(node: PoolNode): PoolNode {
    const before = nodes.get(node.name);
    const versioned = <T extends { readonly resourceVersion: string }>(one: T | null, previous: T | null): T | null =>
      one === null || (previous !== null && isDeepStrictEqual(one, previous))
        ? one
        : { ...one, resourceVersion: next() };
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
      orThrow(
        [...pools.values()].find((pool) => pool.name === name),
        name,
      ),
    node: (name) => orThrow(nodes.get(name), name),
    putPool: (pool) => void pools.set(pool.uid, { ...pool, resourceVersion: next() }),
    putNode: (node) => void store(node),
    putPods: (node, placed) => void pods.set(node, placed),
    remove: (name) =>
      void pools.delete(
        orThrow(
          [...pools.values()].find((pool) => pool.name === name),
          name,
        ).uid,
      ),
    events: () => [...emitted.values()],
    etcdNodes: () => guarded(atMoment, "etcdNodes", () => new Set(options.etcdNodes)),
    list: () => guarded(atMoment, "list pools", () => [...pools.values()]),
    read: ({ uid }) => guarded(atMoment, "read pool", () => pools.get(uid) ?? null),
    listNodes: (scope) =>
      guarded(atMoment, `${scope} nodes`, () => {
        if (scope !== "cordoned") reads[scope] += 1;
        const all = [...nodes.values()].filter(({ node, bootcNode }) => node !== null || bootcNode !== null);
        if (scope === "cordoned") return all.filter(({ node }) => node?.unschedulable);
        return scope === "full" ? all : all.map(withMetadataOnly);
      }),
    write: (pool, node, step) =>
      guarded(atMoment, `write ${step.kind}`, () => {
        if (!isSame(nodes.get(node.name), node)) throw new Conflict(`${node.name} has changed`);
        admit(node.name, step.kind);
        writes.push({ node: node.name, step });
        return store(applyStep(node, step, { pool: { name: pool.name, uid: pool.uid }, now: now() }));
      }),
    recordEmittedEvents: ({ name }, emittedEvents) =>
      guarded(atMoment, "recordEmittedEvents", () => {
        admit(name, "recordEmittedEvents");
        const { bootcNode, ...rest } = orThrow(nodes.get(name), name);
        store({ ...rest, bootcNode: bootcNode === null ? null : { ...bootcNode, emittedEvents } });
      }),
    listPods: (node) => guarded(atMoment, "pods", () => pods.get(node) ?? []),
    evict: (pod) =>
      guarded(atMoment, "evict", () => {
        if (isBlocked(pod)) return { kind: "refused", reason: "a PodDisruptionBudget blocks it", isBudget: true };
        return removePod(pod);
      }),
    deletePod: (pod) =>
      guarded(atMoment, "delete pod", () => {
        if (options.mayDeletePods === false) throw new Forbidden("delete pod: forbidden");
        return removePod(pod);
      }),
    claim: (pool, execution) =>
      guarded(atMoment, "claim", () =>
        changePool(pool, { execution, hasFinalizer: pool.hasFinalizer || !pool.isBeingDeleted }),
      ),
    release: (pool, removesFinalizer) =>
      guarded(atMoment, "release", () => {
        changePool(pool, { execution: null });
        if (removesFinalizer) pools.delete(pool.uid);
      }),
    saveStatus: (pool, status) => guarded(atMoment, "saveStatus", () => changePool(pool, { status })),
    setPaused: (pool, paused) =>
      guarded(
        atMoment,
        "setPaused",
        () => void changePool(pool, { spec: { ...pool.spec, paused }, generation: pool.generation + 1 }),
      ),
    request: (pool, request) => guarded(atMoment, "request", () => void changePool(pool, { request })),
    writeAgentReport: (node, report) =>
      guarded(atMoment, "writeAgentReport", () => {
        if (!isSame(nodes.get(node.name), node)) throw new Conflict(`${node.name} has changed`);
        admit(node.name, "writeAgentReport");
        return store({
          ...node,
          bootcNode: node.bootcNode === null ? null : applyReport(node.bootcNode, report),
        });
      }),
    pullSecret: async () => options.secret ?? { kind: "problem", reason: "the secret does not exist" },
    emitEvent: (subject, event) =>
      guarded(atMoment, "emitEvent", () => {
        const about = nameOf(subject);
        emitted.set([about, event.reason, event.key].join("\n"), { ...event, about });
        return "written" as const;
      }),
  };
}

/** Without what its spec and its status hold. */
function withMetadataOnly({ node, ...rest }: PoolNode): PoolNode {
  const unread = { readyChangedAt: null, conditions: null, bootId: null, osImage: null, kernelVersion: null };
  const placeholders = { ...unread, providerId: null, ready: true, unschedulable: false };
  return { ...rest, node: node === null ? null : { ...node, ...placeholders } };
}

function isSame(stored: PoolNode | undefined, read: PoolNode): boolean {
  const versions = (of: PoolNode | undefined) => [of?.node?.resourceVersion, of?.bootcNode?.resourceVersion];
  return isDeepStrictEqual(versions(stored), versions(read));
}

function nameOf(subject: Subject): string {
  return subject.kind === "pool" ? subject.pool.name : subject.node.name;
}

function orThrow<T>(one: T | undefined, name: string): T {
  if (one === undefined) throw new Error(`${name} does not exist`);
  return one;
}
