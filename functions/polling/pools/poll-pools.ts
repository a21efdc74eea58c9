import pLimit from "p-limit";
import type { NodePool } from "../../domain/node-pool/types.ts";
import { survey } from "../../rolling/survey.ts";
import type { Ports } from "../../task.ts";
import type { Warn } from "../tally.ts";
import { againOnConflict } from "./again-on-conflict.ts";
import { measurePools } from "./measure.ts";
import { pollPool, type PolledPool } from "./poll-pool.ts";
import { noPools, type PoolsReport } from "./report.ts";

const poolsAtOnce = 8;

interface Failed {
  readonly pool: NodePool | null;
  readonly error: Error;
}

/**
 * Looks at every node pool once. Never throws: what fails is told, counted, and looked at again by the next poll, and keeps no
 * workload from its turn. A cluster whose pools are all settled is asked for its pools, its BootcNodes and the outline of its
 * Nodes, whatever their number; one without pools for nothing more than these.
 */
export async function pollPools(ports: Ports, warn: Warn, outOfTime: AbortSignal): Promise<PoolsReport> {
  const inTurn = pLimit(poolsAtOnce);
  const failures: Failed[] = [];
  const pools = await ports.nodePools.list().catch((error: Error) => {
    failures.push({ pool: null, error });
    return [];
  });
  const surveyed = survey(ports, pools);
  const polled: PolledPool[] = [];
  const turn = async (pool: NodePool): Promise<void> => {
    if (outOfTime.aborted) return;
    await pollPool(ports, pool, surveyed)
      .catch((error: Error) => againOnConflict(ports, pool, error))
      .then(
        (one) => one !== null && polled.push(one),
        (error: Error) => failures.push({ pool, error }),
      );
  };
  await Promise.all(pools.map((pool) => inTurn(() => turn(pool))));
  for (const { pool, error } of failures) {
    warn("node pool not decided", { nodePool: pool?.name ?? null, failure: error.name, reason: error.message });
  }
  for (const { error } of failures) ports.metrics.record("pawl_errors_total", 1, { error: error.name });
  if (failures.length > 0) ports.metrics.record("pawl_poll_errors_total", failures.length, {});
  // Of a cluster whose last pool is gone too: its alarms keep what they were told last.
  if (failures.every(({ pool }) => pool !== null)) measurePools(ports.metrics, polled);
  return reportOf(polled, failures);
}

function reportOf(polled: readonly PolledPool[], failures: readonly Failed[]): PoolsReport {
  const count = (wanted: PolledPool["act"]) => polled.filter(({ act }) => act === wanted).length;
  return {
    ...noPools,
    looked: polled.length,
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
