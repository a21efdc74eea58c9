import type { ClosedGate } from "../../domain/gates/closed-gate.ts";
import type { PoolNode } from "../../domain/node-pool/node/bootc-node.ts";
import type { NodePool } from "../../domain/node-pool/pool/node-pool.ts";
import { findPodProblem, requiredDaemonSets } from "../../domain/node-pool/node/health.ts";
import { computeMembership } from "../../domain/node-pool/pool/membership.ts";
import { assessWork } from "../../domain/node-pool/step/plan-steps.ts";
import { type PoolObservation, type PoolState, computePoolState } from "../../domain/node-pool/pool/pool-state.ts";
import { withTarget, type Resolution } from "../../domain/node-pool/pool/target.ts";
import type { Ports } from "../../contract/ports.ts";
import type { NodePools } from "../../ports/node-pools.ts";
import { mapConcurrent } from "../map-concurrent.ts";

/** A pool has few slots. */
const maxConcurrentLists = 8;

/** A pool at one time, and its computed state. */
export interface PoolView {
  /** As stored in the cluster: writes carry its `resourceVersion`. */
  readonly pool: NodePool;
  readonly poolState: PoolState;
  /** Why the pull secret could not be read; null if it could, or if none is configured. */
  readonly secretProblem: string | null;
}

export interface PoolSnapshot extends Pick<PoolObservation, "pool" | "pools" | "nodes" | "etcdNodes"> {
  /** The result of resolving the pool's tag; null if no registry was asked. */
  readonly resolution: Resolution | null;
  /** Returns which alerts keep nodes from acquiring slots; null if none does. Absent where no alert is queried. */
  readonly readAlerts?: (poolState: PoolState) => Promise<string | null>;
  /** Returns the gates that are closed. Absent where those that were recorded count. */
  readonly readGates?: ReadGates;
}

export type ReadGates = (poolState: PoolState) => Promise<readonly ClosedGate[]>;

/**
 * Computes the state of a pool. Reads its pull secret if it has one, the pods of nodes that a DaemonSet decides about, and nothing
 * else.
 */
export async function observePool(
  {
    nodePools,
    now,
    tagCacheSeconds,
  }: Pick<Ports, "now" | "tagCacheSeconds"> & { readonly nodePools: Pick<NodePools, "pullSecret" | "listPods"> },
  { pool, pools, nodes, etcdNodes = new Set(), resolution, readAlerts, readGates }: PoolSnapshot,
): Promise<PoolView> {
  const { pullSecretRef } = pool.spec;
  const secret = pullSecretRef === null ? null : await nodePools.pullSecret(pullSecretRef);
  const podProblems = await findPodProblems(nodePools, pool, nodes);
  const at = now();
  const next = withTarget(pool, resolution, at, tagCacheSeconds);
  const pullSecretHash = secret?.kind === "found" ? secret.hash : null;
  const read = { pool: next, pools, nodes, etcdNodes, pullSecretHash, now: at, podProblems };
  const gates = (await readGates?.(computePoolState({ ...read, gates: [] }))) ?? next.status.gates;
  const observed = { ...read, gates };
  const poolState = computePoolState(observed);
  const alerts = gates.length > 0 ? null : ((await readAlerts?.(poolState)) ?? null);
  return {
    pool,
    poolState: alerts === null ? poolState : computePoolState({ ...observed, alerts }),
    secretProblem: secret?.kind === "problem" ? secret.reason : null,
  };
}

/** Reads the pods of slot holders that are back, only if DaemonSets decide about them. Returns why they fail, by node. */
async function findPodProblems(
  nodePools: Pick<NodePools, "listPods">,
  pool: NodePool,
  nodes: readonly PoolNode[],
): Promise<ReadonlyMap<string, string>> {
  const { spec } = pool;
  const checked = computeMembership(pool, nodes).members.flatMap((member) => {
    const daemonSets = requiredDaemonSets(member, spec);
    return daemonSets.length === 0 ? [] : [{ name: member.name, daemonSets }];
  });
  const found = await mapConcurrent(checked, maxConcurrentLists, async ({ name, daemonSets }) => {
    const problem = findPodProblem(await nodePools.listPods(name), daemonSets);
    return problem === null ? [] : [[name, problem] as const];
  });
  return new Map(found.flat());
}

type FullNodes = Required<Pick<PoolObservation, "nodes" | "etcdNodes">>;

/** Lists every node completely, and which of them run etcd. */
export async function listFullNodes(nodePools: Pick<NodePools, "listNodes" | "etcdNodes">): Promise<FullNodes> {
  const [nodes, etcdNodes] = await Promise.all([nodePools.listNodes("full"), nodePools.etcdNodes()]);
  return { nodes, etcdNodes };
}

/** Observes the pools of one cluster, and reads their nodes only once and only in the detail that they need. */
export interface PoolObserver {
  observe(pool: NodePool, resolution: Resolution | null): Promise<PoolView>;
  /** Uses only the metadata of the nodes, which shows slots but not readiness. */
  observeMetadata(pool: NodePool, resolution: Resolution | null): Promise<PoolView>;
}

type ObserverPorts = Pick<Ports, "nodePools" | "now" | "tagCacheSeconds">;

/** Reports whether a pool has not ended its steps, as it was stored: what the metadata of its nodes says of a soak is not known. */
function isInStep({ spec, status }: NodePool, { pool: next, failedDigest, membership }: PoolState): boolean {
  const { progress } = next.status;
  if (progress === null || failedDigest !== null || membership.members.length === 0) return false;
  return status.progress?.digest !== progress.digest || status.progress.step <= spec.steps.length;
}

/**
 * Creates an observer. A pool that is completed by the metadata of its nodes is completed: none of them holds a slot,
 * so their readiness matters only to pools that wait for it, and until its steps have ended. Only for these and for other pools are the
 * full nodes read, once for all pools.
 */
export function createPoolObserver(
  ports: ObserverPorts,
  pools: readonly NodePool[],
  readGates: ReadGates,
): PoolObserver {
  let metadata: Promise<readonly PoolNode[]> | null = null;
  let full: Promise<FullNodes> | null = null;

  async function observeMetadata(pool: NodePool, resolution: Resolution | null): Promise<PoolView> {
    metadata ??= ports.nodePools.listNodes("metadata");
    return observePool(ports, { pool, pools, nodes: await metadata, resolution });
  }

  return {
    observeMetadata,
    async observe(pool, resolution) {
      const preliminary = await observeMetadata(pool, resolution);
      const isReadinessNeeded = preliminary.poolState.isWaitedFor || isInStep(pool, preliminary.poolState);
      if (assessWork(preliminary.poolState).kind === "completed" && !isReadinessNeeded) return preliminary;
      full ??= listFullNodes(ports.nodePools);
      return observePool(ports, { pool, pools, ...(await full), resolution, readGates });
    },
  };
}
