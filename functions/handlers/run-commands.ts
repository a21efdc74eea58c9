import { needsCommands } from "../domain/node-pool/agent/needs-commands.ts";
import { firstFew } from "../domain/node-pool/first-few.ts";
import { tickOf } from "../domain/node-pool/tick.ts";
import { claimedPool } from "../rolling/claim.ts";
import { commandNodes } from "../rolling/command-nodes.ts";
import { poolLambda, type PoolTask } from "../task.ts";

/** Does for the nodes of a pool what a daemon on each of them would do, through commands that it sends them. */
export const runCommands: PoolTask<"RunCommands"> = async (ports, input, { outOfTime } = {}) => {
  const claim = await claimedPool(ports, input);
  if (claim.kind === "lost") return { kind: "superseded", reason: claim.reason };
  const { pool, pools } = claim;
  const nodes = await ports.nodePools.nodes("whole");
  // Nothing is asked of a node here that its BootcNode does not ask, so it does not matter which secret that names.
  const tick = tickOf({ pool, pools, nodes, pullSecretHash: null, now: ports.now() });
  const done = needsCommands(tick) ? await commandNodes(ports, tick, outOfTime) : [];
  return { kind: "asked", reason: firstFew(done).join("; ") };
};

export const handler = poolLambda(runCommands);
