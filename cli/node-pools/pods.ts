import pLimit from "p-limit";
import type { DrainedPod } from "../../functions/domain/node-pool/drain.ts";
import { parseDigest } from "../../functions/domain/node-pool/node-state.ts";
import { planSteps } from "../../functions/domain/node-pool/plan-steps.ts";
import type { Member } from "../../functions/domain/node-pool/bootc-node.ts";
import type { PoolState } from "../../functions/domain/node-pool/pool-state.ts";
import type { NodePools } from "../../functions/ports/node-pools.ts";

const maxConcurrentNodes = 8;

export type PodsByNode = ReadonlyMap<string, readonly DrainedPod[]>;

type PodLister = Pick<NodePools, "listPods">;

/** Reads the pods of nodes that wait for them; none if listing pods is forbidden. Throws any other error of the cluster. */
export function readPodsOfDrainedNodes(nodePools: PodLister, poolState: PoolState): Promise<PodsByNode> {
  const waiting = planSteps(poolState).filter(({ step }) => step.kind === "wait" && step.for === "pods");
  return readPods(nodePools, waiting);
}

/** Reads the pods of all nodes that have to be drained for the target, in the same way. */
export function readPodsOfOutdatedNodes(nodePools: PodLister, poolState: PoolState): Promise<PodsByNode> {
  return readPods(nodePools, findOutdatedNodes(poolState));
}

function findOutdatedNodes({ membership, desired }: PoolState): readonly Member[] {
  const target = desired === null ? null : parseDigest(desired.image);
  return membership.members.filter(({ bootcNode }) => target !== null && bootcNode.bootedDigest !== target);
}

async function readPods(nodePools: PodLister, nodes: readonly { readonly name: string }[]): Promise<PodsByNode> {
  const limit = pLimit(maxConcurrentNodes);
  try {
    const read = nodes.map(({ name }) => limit(async () => [name, await nodePools.listPods(name)] as const));
    return new Map(await Promise.all(read));
  } catch (error) {
    if ((error as Error).name === "Forbidden") return new Map();
    throw error;
  }
}
