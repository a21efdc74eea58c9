import { summarizeList } from "../domain/text/summarize-list.ts";
import { checkPoolClaim } from "../workflows/node-pool-rollout/claim.ts";
import { drainAllNodes } from "../workflows/node-pool-rollout/drain-nodes.ts";
import { observePool } from "../workflows/node-pool-rollout/observe-pool.ts";
import type { PoolTask } from "../contract/task.ts";
import { poolLambda } from "../runtime/lambda.ts";

/**
 * Continues the drain of every cordoned slot holder. Reads no other Nodes, and computes membership and target each
 * time.
 */
export const drainNodes: PoolTask<"DrainNodes"> = async (ports, input, { signal } = {}) => {
  const claim = await checkPoolClaim(ports, input);
  if (claim.kind === "lost") return { kind: "superseded", reason: claim.reason };
  const nodes = await ports.nodePools.listNodes("cordoned");
  const { poolState } = await observePool(ports, { ...claim, nodes, resolution: null });
  const drained = await drainAllNodes(ports, poolState, signal);
  return { kind: "drained", reason: summarizeList(drained).join("; ") };
};

export const handler = poolLambda({ drainNodes });
