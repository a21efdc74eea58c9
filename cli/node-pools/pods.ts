import pLimit from "p-limit";
import type { DrainedPod } from "../../functions/domain/node-pool/drain.ts";
import { planSteps } from "../../functions/domain/node-pool/plan-steps.ts";
import type { PoolState } from "../../functions/domain/node-pool/pool-state.ts";
import type { NodePools } from "../../functions/ports/node-pools.ts";

const maxConcurrentNodes = 8;

/** Reads the pods of nodes that wait for them; none if listing pods is forbidden. Throws any other error of the cluster. */
export async function readPodsOfDrainedNodes(
  nodePools: Pick<NodePools, "listPods">,
  poolState: PoolState,
): Promise<ReadonlyMap<string, readonly DrainedPod[]>> {
  const drained = planSteps(poolState).filter(({ step }) => step.kind === "wait" && step.for === "pods");
  const limit = pLimit(maxConcurrentNodes);
  try {
    const read = drained.map(({ name }) => limit(async () => [name, await nodePools.listPods(name)] as const));
    return new Map(await Promise.all(read));
  } catch (error) {
    if ((error as Error).name === "Forbidden") return new Map();
    throw error;
  }
}
