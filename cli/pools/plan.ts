import { resolve } from "../../functions/polling/pools/resolve.ts";
import type { Ports } from "../../functions/task.ts";
import { lookAtPools } from "./look.ts";
import { type PlannedPool, plannedPool } from "./planned.ts";
import { podsOfDrained } from "./pods.ts";

/**
 * Looks at every node pool as a poll does, and does nothing about it. Where they may not be looked at that is said, and there
 * are none. Throws what else the cluster throws.
 */
export async function planPools(
  ports: Pick<Ports, "nodePools" | "registry" | "now">,
  warn: (message: string) => void,
): Promise<readonly PlannedPool[]> {
  const { nodePools, now } = ports;
  try {
    const looks = await lookAtPools({ nodePools, now, resolve: (pool) => resolve(ports, pool) });
    const pods = await Promise.all(looks.map(({ tick }) => podsOfDrained(nodePools, tick)));
    return looks.map((look, index) => plannedPool(look, pods[index]));
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "Forbidden") throw error;
    warn(`node pools are left out: ${error.message}`);
    return [];
  }
}
