import type { PoolChecks } from "../ports/pool-checks.ts";
import type { Ports } from "../task.ts";
import { Changed } from "./changed.ts";
import { survey } from "./survey.ts";
import { writeStatus } from "./write-status.ts";

type Needed = Pick<Ports, "cluster" | "nodePools" | "events" | "now" | "tagResolutionSeconds">;

/** Writes and tells in this process, of the pool as it is by now. */
export function recordHere(ports: Needed): PoolChecks {
  return {
    async record(ref, resolution) {
      const pools = await ports.nodePools.list();
      const pool = pools.find(({ uid }) => uid === ref.uid);
      if (pool === undefined) throw new Changed(`node pool ${ref.name} is gone`);
      const look = await survey(ports, pools).look(pool, resolution);
      return (await writeStatus(ports, look, null)) === pool ? "none" : "recorded";
    },
  };
}
