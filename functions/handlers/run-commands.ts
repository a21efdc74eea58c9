import { needsCommands } from "../domain/node-pool/agent/needs-commands.ts";
import { summarizeList } from "../domain/text/summarize-list.ts";
import { computePoolState } from "../domain/node-pool/pool/pool-state.ts";
import { checkPoolClaim } from "../workflows/node-pool-rollout/claim.ts";
import { runPoolCommands } from "../workflows/node-pool-rollout/run-commands.ts";
import type { PoolTask } from "../contract/task.ts";
import { poolLambda } from "../runtime/lambda.ts";

/** Acts as the daemon of the nodes of a pool, by sending commands to them. */
export const runCommands: PoolTask<"RunCommands"> = async (ports, input, { signal } = {}) => {
  const claim = await checkPoolClaim(ports, input);
  if (claim.kind === "lost") return { kind: "superseded", reason: claim.reason };
  const { pool, pools } = claim;
  const nodes = await ports.nodePools.listNodes("full");
  // Only the specs of the BootcNodes are executed, so the pull secret does not matter.
  const poolState = computePoolState({ pool, pools, nodes, pullSecretHash: null, now: ports.now() });
  const done = needsCommands(poolState) ? await runPoolCommands(ports, poolState, signal) : [];
  return { kind: "sent", reason: summarizeList(done).join("; ") };
};

export const handler = poolLambda({ runCommands });
