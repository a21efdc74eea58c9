import { firstFew } from "../domain/node-pool/first-few.ts";
import { claimedPool } from "../rolling/claim.ts";
import { drainAll } from "../rolling/drain-all.ts";
import { lookAt } from "../rolling/look.ts";
import { poolLambda, type PoolTask } from "../task.ts";

/**
 * Goes on with the drain of every node that holds a slot and is cordoned, and reads no other Nodes: who else is in the pool has no
 * part in it. Membership and target are read anew each time.
 */
export const drainNodes: PoolTask<"DrainNodes"> = async (ports, input, { outOfTime } = {}) => {
  const claim = await claimedPool(ports, input);
  if (claim.kind === "lost") return { kind: "superseded", reason: claim.reason };
  const nodes = await ports.nodePools.nodes("cordoned");
  const { tick } = await lookAt(ports, { ...claim, nodes, resolution: null });
  const drained = await drainAll(ports, tick, outOfTime);
  return { kind: "drained", reason: firstFew(drained).join("; ") };
};

export const handler = poolLambda(drainNodes);
