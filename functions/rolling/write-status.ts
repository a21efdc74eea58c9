import { isDeepStrictEqual } from "node:util";
import { poolNews } from "../domain/node-pool/pool-news.ts";
import type { NodePool, NodePoolStatus } from "../domain/node-pool/types.ts";
import type { Ports } from "../task.ts";
import { tellOfPool } from "../telling-pools.ts";

/**
 * Says where a pool stands: in its status, and what is new about that in Events and on the bus, which come first, so that
 * none is lost. Nothing is written where nothing is new. Returns the pool as it is then; throws `Conflict` where it has changed.
 */
export async function writeStatus(
  ports: Pick<Ports, "cluster" | "nodePools" | "events">,
  pool: NodePool,
  status: NodePoolStatus,
  execution: string | null,
): Promise<NodePool> {
  if (isAsItStands(pool, status)) return pool;
  for (const news of poolNews(pool, status, execution)) await tellOfPool(ports, pool, news);
  return ports.nodePools.saveStatus(pool, status);
}

/** Whether a pool's status says already what is to be said. */
export function isAsItStands({ status }: NodePool, now: NodePoolStatus): boolean {
  return isDeepStrictEqual(status, now);
}
