import { statusUntried } from "../domain/node-pool/status.ts";
import { aimed } from "../domain/node-pool/target.ts";
import type { NodePoolStatus } from "../domain/node-pool/types.ts";
import type { PoolChecks } from "../ports/pool-checks.ts";
import type { Ports } from "../task.ts";
import { Changed } from "./changed.ts";
import type { Read } from "./look.ts";
import { survey } from "./survey.ts";
import { writeStatus } from "./write-status.ts";

type Needed = Pick<Ports, "cluster" | "nodePools" | "events" | "now" | "tagResolutionSeconds">;

/**
 * Writes and tells in this process, of the pool as it is by now. Of one that an execution leads it writes the target alone: all
 * else is the execution's to say.
 */
export function recordHere(ports: Needed): PoolChecks {
  return {
    async record(ref, resolution) {
      const pools = await ports.nodePools.list();
      const pool = pools.find(({ uid }) => uid === ref.uid);
      if (pool === undefined) throw new Changed(`node pool ${ref.name} is gone`);
      const status =
        pool.execution === null
          ? await whereItStands(ports, { pool, pools, resolution })
          : aimed(pool, resolution, ports.now(), ports.tagResolutionSeconds).status;
      return (await writeStatus(ports, pool, status, null)) === pool ? "none" : "recorded";
    },
  };
}

async function whereItStands(
  ports: Needed,
  { pool, pools, resolution }: Pick<Read, "pool" | "pools" | "resolution">,
): Promise<NodePoolStatus> {
  const { tick, secretProblem } = await survey(ports, pools).look(pool, resolution);
  return statusUntried(tick, secretProblem);
}
