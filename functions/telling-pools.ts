import { digestOf } from "./domain/node-pool/classify.ts";
import type { PoolNews } from "./domain/node-pool/news.ts";
import type { NodePool, PoolNode } from "./domain/node-pool/types.ts";
import type { Cluster } from "./ports/cluster.ts";
import type { Events } from "./ports/events.ts";
import type { NodePools } from "./ports/node-pools.ts";

/** What telling needs of `Ports`. */
export interface TellingPorts {
  readonly cluster: Pick<Cluster, "name">;
  readonly nodePools: Pick<NodePools, "announce">;
  readonly events: Pick<Events, "publishPool">;
}

/** Tells one thing on the pool and on the bus. Repeated, it is one Event there and may be two here: delivery is at least once. */
export async function tellOfPool(ports: TellingPorts, pool: NodePool, news: PoolNews): Promise<void> {
  await ports.nodePools.announce({ kind: "pool", pool }, announcementOf(news));
  await publish(ports, pool, null, news);
}

/** Tells one thing on a node of the pool and, where it is for the bus, there. */
export async function tellOfNode(ports: TellingPorts, pool: NodePool, node: PoolNode, news: PoolNews): Promise<void> {
  await ports.nodePools.announce({ kind: "node", node }, announcementOf(news));
  await publish(ports, pool, node.name, news);
}

function announcementOf({ type, reason, message, key }: PoolNews) {
  return { type, reason, message, key };
}

async function publish(
  { cluster, events }: TellingPorts,
  { name, uid }: NodePool,
  node: string | null,
  { event, execution, image, message }: PoolNews,
): Promise<void> {
  if (event === null) return;
  await events.publishPool(event, {
    cluster: cluster.name,
    nodePool: { name, uid },
    node,
    execution,
    image,
    digest: image === null ? null : digestOf(image),
    reason: message,
  });
}
