import { claimedPool } from "../rolling/claim.ts";
import { drainNode, waitsForPods } from "../rolling/drain-node.ts";
import { lookAt } from "../rolling/look.ts";
import { poolLambda, type PoolTask } from "../task.ts";

/** Goes on with the drain of every node that holds a slot and is cordoned. Membership and target are read anew each time. */
export const drainNodes: PoolTask<"DrainNodes"> = async (ports, input) => {
  const claim = await claimedPool(ports, input);
  if (claim.kind === "lost") return { kind: "superseded", reason: claim.reason };
  const nodes = await ports.nodePools.nodes("whole");
  const { tick } = await lookAt(ports, { ...claim, nodes, resolution: null });
  const drained = [];
  for (const member of tick.membership.members.filter((one) => waitsForPods(one, tick))) {
    drained.push(await drainNode(ports, tick, member).catch(unlessConflict(member.name)));
  }
  return { kind: "drained", reason: drained.join("; ") };
};

function unlessConflict(node: string) {
  return (error: Error) => {
    if (error.name !== "Conflict") throw error;
    return `${node}: has changed meanwhile`;
  };
}

export const handler = poolLambda(drainNodes);
