import type { ClosedGate } from "../../domain/gates/closed-gate.ts";
import { gateSubject, isBehind } from "../../domain/node-pool/pool/gates.ts";
import type { PoolState } from "../../domain/node-pool/pool/pool-state.ts";
import type { Cluster, FreezeText } from "../../ports/cluster.ts";
import { readFreezeGates } from "../read-freezes.ts";
import type { ReadGates } from "./observe-pool.ts";

interface GatePorts {
  readonly cluster: Pick<Cluster, "readFreeze">;
}

/** Creates a reader for all pools of a poll: the freezes are read once. */
export function createGateReader({ cluster }: GatePorts): ReadGates {
  let freeze: Promise<FreezeText> | null = null;
  const once = { readFreeze: () => (freeze ??= cluster.readFreeze()) };
  return (poolState) => readPoolGates({ cluster: once }, poolState);
}

/**
 * Returns the gates that keep the nodes of a pool from its target; none if no node needs it, or the pool goes back. Throws `Unreachable`
 * and `Throttled`.
 */
export async function readPoolGates(
  { cluster }: GatePorts,
  { pool, desired, failedDigest, membership, problems, now }: PoolState,
): Promise<readonly ClosedGate[]> {
  if (desired === null || failedDigest !== null || problems.length > 0 || !isBehind(membership, desired.image))
    return [];
  const subject = gateSubject(pool);
  const gates = await readFreezeGates(cluster);
  return gates.flatMap(({ name, evaluate }) => {
    const closed = evaluate(subject, null, now);
    return closed === null ? [] : [{ name, ...closed }];
  });
}
