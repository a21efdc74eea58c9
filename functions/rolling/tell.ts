import { newsOfStep, newsToRemember } from "../domain/node-pool/node-news.ts";
import type { NodeStep } from "../domain/node-pool/step.ts";
import type { Tick } from "../domain/node-pool/tick.ts";
import type { NodePool, PoolNode } from "../domain/node-pool/types.ts";
import type { Ports } from "../task.ts";
import { tellOfNode } from "../telling-pools.ts";
import { whyLeft } from "./changed.ts";
import { forEach } from "./for-each.ts";

/** A thousand nodes may have staged since the step before. */
const nodesAtOnce = 16;

/** Tells of a step before it is done: a step that is interrupted is done again, and told of once for all that. */
export async function tellOfStep(ports: Ports, pool: NodePool, node: PoolNode, step: NodeStep): Promise<void> {
  const news = newsOfStep(node, step, pool.execution);
  if (news !== null) await tellOfNode(ports, pool, node, news);
}

/** Tells what no step tells of the nodes, each once: that one has staged its image, and that a drain takes long. */
export async function tellOfNodes(ports: Ports, pool: NodePool, tick: Tick, outOfTime?: AbortSignal): Promise<void> {
  await forEach(newsToRemember(tick, pool.execution), nodesAtOnce, async ({ node, news, told }) => {
    if (outOfTime?.aborted) return;
    for (const one of news) await tellOfNode(ports, pool, node, one);
    await ports.nodePools.remember(node, told).catch(whyLeft);
  });
}
