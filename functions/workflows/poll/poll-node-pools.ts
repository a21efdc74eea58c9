import { drainSlot, isDrainSlow } from "../../domain/node-pool/node/drain.ts";
import type { NodePool } from "../../domain/node-pool/pool/node-pool.ts";
import type { Metrics } from "../../ports/metrics.ts";
import type { Ports } from "../../contract/ports.ts";
import { createGateReader } from "../node-pool-rollout/read-pool-gates.ts";
import { createPoolObserver, type PoolObserver, type ReadGates } from "../node-pool-rollout/observe-pool.ts";
import { retryOnConflict } from "../retry-on-conflict.ts";
import { createPolledExecutions } from "./polled-executions.ts";
import { pollNodePool, type NodePoolResult, type PollPoolPorts } from "./poll-node-pool.ts";
import { emptyPoolsReport, type PoolsReport, type Warn } from "./report.ts";
import pLimit from "p-limit";

const maxConcurrentPools = 8;

interface Failed {
  readonly pool: NodePool | null;
  readonly error: Error;
}

/**
 * Evaluates every node pool once. Never throws: a failure is logged, counted, and retried by the next poll, and does
 * not affect workloads. If all pools are completed, it reads only the pools, the BootcNodes and the metadata of the
 * Nodes, whatever their number.
 */
export async function pollNodePools(
  ports: PollPoolPorts & Pick<Ports, "metrics" | "poolExecutions">,
  warn: Warn,
  signal: AbortSignal,
): Promise<PoolsReport> {
  const limit = pLimit(maxConcurrentPools);
  const failures: Failed[] = [];
  const pools = await ports.nodePools.list().catch((error: Error) => {
    failures.push({ pool: null, error });
    return [];
  });
  const readGates = createGateReader(ports);
  const observer = createPoolObserver(ports, pools, readGates);
  const poolExecutions = createPolledExecutions(ports.poolExecutions, (error) => {
    ports.metrics.record("pawl_errors_total", 1, { error: error.name });
    warn("Step Functions is asked again by the next poll", { failure: error.name, reason: error.message });
  });
  const polled: NodePoolResult[] = [];
  const evaluate = async (pool: NodePool): Promise<void> => {
    if (signal.aborted) return;
    await pollUntilStable({ ...ports, poolExecutions }, pool, observer, readGates).then(
      (result) => result !== null && polled.push(result),
      (error: Error) => failures.push({ pool, error }),
    );
  };
  await Promise.all(pools.map((pool) => limit(() => evaluate(pool))));
  for (const { pool, error } of failures) {
    warn("node pool evaluation failed", { nodePool: pool?.name ?? null, failure: error.name, reason: error.message });
  }
  for (const { error } of failures) ports.metrics.record("pawl_errors_total", 1, { error: error.name });
  if (failures.length > 0) ports.metrics.record("pawl_poll_errors_total", failures.length, {});
  // Also without pools: the gauges would otherwise keep their last values.
  if (failures.every(({ pool }) => pool !== null)) recordPoolMetrics(ports.metrics, polled);
  return createReport(polled, failures);
}

function createReport(polled: readonly NodePoolResult[], failures: readonly Failed[]): PoolsReport {
  const count = (wanted: NodePoolResult["action"]) => polled.filter(({ action }) => action === wanted).length;
  return {
    ...emptyPoolsReport,
    evaluated: polled.length,
    started: count("started"),
    adopted: count("adopted"),
    inFlight: count("in-flight"),
    held: count("held"),
    recorded: polled.filter(({ isRecorded }) => isRecorded).length,
    failed: failures.map(({ pool, error: { name, message } }) => ({
      pool: pool === null ? null : { name: pool.name, uid: pool.uid },
      error: name,
      message,
    })),
  };
}

/** Records the gauges of the cluster's node pools. */
export function recordPoolMetrics(metrics: Metrics, polled: readonly NodePoolResult[]): void {
  const count = (matches: (one: NodePoolResult) => boolean) => polled.filter(matches).length;
  metrics.record("pawl_node_pools_degraded", count(isDegraded), {});
  metrics.record("pawl_node_pools_halted", count(isHalted), {});
  metrics.record("pawl_node_pools_rolling", count(isRollingOut), {});
  metrics.record("pawl_drains_slow", polled.flatMap(findSlowDrains).length, {});
}

function isDegraded({ pool }: NodePoolResult): boolean {
  return pool.status.conditions.some(({ type, status }) => type === "Degraded" && status === "True");
}

/** Or as the execution of the rollout has recorded it: meanwhile a poll does not read readiness. */
function isHalted({ pool, view }: NodePoolResult): boolean {
  if (view.poolState.isHalted) return true;
  return pool.status.conditions.some(({ reason }) => reason === "RolloutHalted");
}

function isRollingOut({ action }: NodePoolResult): boolean {
  return action === "started" || action === "adopted" || action === "in-flight";
}

/** A node whose reboot is approved is drained. */
function findSlowDrains({ view: { poolState } }: NodePoolResult): readonly string[] {
  return poolState.membership.members.flatMap(({ name, bootcNode }) => {
    const slot = drainSlot(bootcNode);
    return slot !== null && slot.approvedAt === null && isDrainSlow(slot, poolState.now) ? [name] : [];
  });
}

const maxAttempts = 4;

interface Target {
  readonly current: NodePool | undefined;
  readonly observer: PoolObserver;
}

/**
 * Polls a pool again if it was written to meanwhile: people and the execution of its rollout may do so at any time. Returns null if
 * the pool was deleted.
 */
function pollUntilStable(
  ports: PollPoolPorts,
  pool: NodePool,
  observer: PoolObserver,
  readGates: ReadGates,
): Promise<NodePoolResult | null> {
  return retryOnConflict<Target, NodePoolResult | null>({
    attempts: maxAttempts,
    current: { current: pool, observer },
    read: async () => {
      const pools = await ports.nodePools.list();
      return {
        current: pools.find(({ uid }) => uid === pool.uid),
        observer: createPoolObserver(ports, pools, readGates),
      };
    },
    write: async (target) =>
      target.current === undefined ? null : pollNodePool(ports, target.current, target.observer),
  });
}
