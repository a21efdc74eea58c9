import { workOf } from "../domain/node-pool/settled.ts";
import type { Resolution } from "../domain/node-pool/target.ts";
import type { NodePool, PoolNode } from "../domain/node-pool/types.ts";
import type { Ports } from "../task.ts";
import { type Look, lookAt } from "./look.ts";

/** Looks at pools of one cluster, and reads its nodes no more often and in no more detail than they need. */
export interface Survey {
  look(pool: NodePool, resolution: Resolution | null): Promise<Look>;
  /** By the outline of its nodes alone, which tells of slots and not of who is Ready. */
  glance(pool: NodePool, resolution: Resolution | null): Promise<Look>;
}

type Needed = Pick<Ports, "nodePools" | "now" | "tagResolutionSeconds">;

/**
 * A pool that is settled by the outline of its nodes is settled: none of them holds a slot, and so it does not matter which
 * of them are Ready. Only for others are the nodes read whole, once for all pools.
 */
export function survey(ports: Needed, pools: readonly NodePool[]): Survey {
  let outline: Promise<readonly PoolNode[]> | null = null;
  let whole: Promise<readonly PoolNode[]> | null = null;

  async function glance(pool: NodePool, resolution: Resolution | null): Promise<Look> {
    outline ??= ports.nodePools.nodes("outline");
    return lookAt(ports, { pool, pools, nodes: await outline, resolution });
  }

  return {
    glance,
    async look(pool, resolution) {
      const quick = await glance(pool, resolution);
      if (workOf(quick.tick).kind === "settled") return quick;
      whole ??= ports.nodePools.nodes("whole");
      return lookAt(ports, { pool, pools, nodes: await whole, resolution });
    },
  };
}
