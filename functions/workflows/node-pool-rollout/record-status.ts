import { type ClosedGate, fromFoundGate } from "../../domain/gates/closed-gate.ts";
import type { NodePool, NodePoolStatus } from "../../domain/node-pool/pool/node-pool.ts";
import { poolEvents } from "../../domain/node-pool/event/pool-events.ts";
import { computePoolStatusFromPoll } from "../../domain/node-pool/pool/status.ts";
import { withTarget } from "../../domain/node-pool/pool/target.ts";
import { Conflict } from "../../ports/errors.ts";
import type { PoolCheckRecorder } from "../../ports/pool-check-recorder.ts";
import type { Ports } from "../../contract/ports.ts";
import { emitPoolEvent } from "../emit-events.ts";
import { type PoolSnapshot, createPoolObserver } from "./observe-pool.ts";
import { isDeepStrictEqual } from "node:util";

/**
 * Writes a pool's status if it has changed. Events about the changes are emitted first, so that none is lost. Returns
 * the resulting pool; throws `Conflict` if it was changed since it was read.
 */
export async function recordStatus(
  ports: Pick<Ports, "cluster" | "nodePools" | "events">,
  pool: NodePool,
  status: NodePoolStatus,
  execution: string | null,
): Promise<NodePool> {
  if (isStatusUnchanged(pool, status)) return pool;
  for (const event of poolEvents(pool, status, execution)) await emitPoolEvent(ports, pool, event);
  return ports.nodePools.saveStatus(pool, status);
}

/** Reports whether a pool already has this status. */
export function isStatusUnchanged({ status }: NodePool, next: NodePoolStatus): boolean {
  return isDeepStrictEqual(status, next);
}

type RecorderPorts = Pick<Ports, "cluster" | "nodePools" | "events" | "now" | "tagCacheSeconds">;

/**
 * Records in this process, on the current pool. While an execution holds the pool, only the target is written: the rest
 * of the status belongs to the execution.
 */
export function createInProcessPoolCheckRecorder(ports: RecorderPorts): PoolCheckRecorder {
  return {
    async record(ref, resolution, gates = []) {
      const pools = await ports.nodePools.list();
      const pool = pools.find(({ uid }) => uid === ref.uid);
      if (pool === undefined) throw new Conflict(`node pool ${ref.name} was deleted`);
      const status =
        pool.execution === null
          ? await computeStatus(ports, { pool, pools, resolution }, gates.map(fromFoundGate))
          : withTarget(pool, resolution, ports.now(), ports.tagCacheSeconds).status;
      return (await recordStatus(ports, pool, status, null)) === pool ? "none" : "recorded";
    },
  };
}

async function computeStatus(
  ports: RecorderPorts,
  { pool, pools, resolution }: Pick<PoolSnapshot, "pool" | "pools" | "resolution">,
  gates: readonly ClosedGate[],
): Promise<NodePoolStatus> {
  const { poolState, secretProblem } = await createPoolObserver(ports, pools, async () => gates).observe(
    pool,
    resolution,
  );
  return computePoolStatusFromPoll(poolState, secretProblem);
}
