import pLimit from "p-limit";
import type { DrainedPod } from "../../functions/domain/node-pool/node/drain.ts";
import { parseDigest } from "../../functions/domain/node-pool/node/node-state.ts";
import { chooseNodeImage } from "../../functions/domain/node-pool/pool/target.ts";
import { planSteps } from "../../functions/domain/node-pool/step/plan-steps.ts";
import type { Member } from "../../functions/domain/node-pool/node/bootc-node.ts";
import type { PoolState } from "../../functions/domain/node-pool/pool/pool-state.ts";
import type { NodePools } from "../../functions/ports/node-pools.ts";

const maxConcurrentNodes = 8;

export type PodsByNode = ReadonlyMap<string, readonly DrainedPod[]>;

type PodLister = Pick<NodePools, "listPods">;

type OnForbidden = (error: Error) => void;

/** Reads the pods of nodes that wait for them; none if listing pods is forbidden. Throws any other error of the cluster. */
export function readPodsOfDrainedNodes(nodePools: PodLister, poolState: PoolState): Promise<PodsByNode> {
  const waiting = planSteps(poolState).filter(({ step }) => step.kind === "wait" && step.for === "pods");
  return readPods(nodePools, waiting, () => undefined);
}

/** Reads the pods of all nodes that have to be drained for their image; none, after `onForbidden`, if that is forbidden. */
export function readPodsOfOutdatedNodes(
  nodePools: PodLister,
  poolState: PoolState,
  onForbidden: OnForbidden,
): Promise<PodsByNode> {
  return readPods(nodePools, findOutdatedNodes(poolState), onForbidden);
}

function findOutdatedNodes({ membership, desired, failedDigest }: PoolState): readonly Member[] {
  if (desired === null) return [];
  const target = (member: Member) => parseDigest(chooseNodeImage(member.bootcNode, desired.image, failedDigest));
  return membership.members.filter((member) => member.bootcNode.bootedDigest !== target(member));
}

async function readPods(
  nodePools: PodLister,
  nodes: readonly { readonly name: string }[],
  onForbidden: OnForbidden,
): Promise<PodsByNode> {
  const limit = pLimit(maxConcurrentNodes);
  try {
    const read = nodes.map(({ name }) => limit(async () => [name, await nodePools.listPods(name)] as const));
    return new Map(await Promise.all(read));
  } catch (error) {
    if ((error as Error).name !== "Forbidden") throw error;
    onForbidden(error as Error);
    return new Map();
  }
}
