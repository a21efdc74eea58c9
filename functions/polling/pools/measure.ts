import { isDrainSlow } from "../../domain/node-pool/drain.ts";
import type { Metrics } from "../../ports/metrics.ts";
import type { PolledPool } from "./poll-pool.ts";

/** Records what a poll saw of the cluster's node pools as a whole. */
export function measurePools(metrics: Metrics, polled: readonly PolledPool[]): void {
  const count = (isSo: (one: PolledPool) => boolean) => polled.filter(isSo).length;
  metrics.record("pawl_node_pools_degraded", count(isDegraded), {});
  metrics.record("pawl_node_pools_halted", count(isHalted), {});
  metrics.record("pawl_node_pools_rolling", count(isRolling), {});
  metrics.record("pawl_drains_slow", polled.flatMap(slowDrains).length, {});
}

function isDegraded({ pool }: PolledPool): boolean {
  return pool.status.conditions.some(({ type, status }) => type === "Degraded" && status === "True");
}

/** Or as whoever leads the rollout has said it: a poll does not look who is Ready meanwhile. */
function isHalted({ pool, look }: PolledPool): boolean {
  if (look.tick.isHalted) return true;
  return pool.status.conditions.some(({ reason }) => reason === "RolloutHalted");
}

function isRolling({ act }: PolledPool): boolean {
  return act === "started" || act === "adopted" || act === "in-flight";
}

/** A node whose reboot is approved is drained. */
function slowDrains({ look: { tick } }: PolledPool): readonly string[] {
  return tick.membership.members.flatMap(({ name, bootcNode: { slot } }) =>
    slot !== null && slot.approvedAt === null && isDrainSlow(slot, tick.now) ? [name] : [],
  );
}
