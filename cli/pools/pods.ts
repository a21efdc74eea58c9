import pLimit from "p-limit";
import type { DrainedPod } from "../../functions/domain/node-pool/drain.ts";
import { stepsOf } from "../../functions/domain/node-pool/settled.ts";
import type { Tick } from "../../functions/domain/node-pool/tick.ts";
import type { NodePools } from "../../functions/ports/node-pools.ts";

const nodesAtOnce = 8;

/** The pods of nodes whose next step is up to them; of none where pods may not be listed. Throws what else the cluster throws. */
export async function podsOfDrained(
  nodePools: Pick<NodePools, "pods">,
  tick: Tick,
): Promise<ReadonlyMap<string, readonly DrainedPod[]>> {
  const drained = stepsOf(tick).filter(({ step }) => step.kind === "wait" && step.for === "pods");
  const inTurn = pLimit(nodesAtOnce);
  try {
    const read = drained.map(({ name }) => inTurn(async () => [name, await nodePools.pods(name)] as const));
    return new Map(await Promise.all(read));
  } catch (error) {
    if ((error as Error).name === "Forbidden") return new Map();
    throw error;
  }
}
