import { lookAtPools, type PoolLook } from "../../cli/pools/look.ts";
import type { Resolution } from "../../functions/domain/node-pool/target.ts";
import type { NodePool, PoolNode } from "../../functions/domain/node-pool/types.ts";
import type { PullSecret } from "../../functions/ports/node-pools.ts";
import { pool } from "../domain/node-pool/pools.ts";
import { fakeNodePools } from "../support/fake-node-pools.ts";
import { noon } from "../support/workloads.ts";

interface Scene {
  readonly pool?: NodePool;
  readonly nodes?: readonly PoolNode[];
  readonly resolution?: Resolution | null;
  readonly secret?: PullSecret;
}

/** The look at the only pool of a cluster. */
export async function lookAtOne({
  pool: of = pool(),
  nodes = [],
  resolution = null,
  secret = { kind: "unread" },
}: Scene): Promise<PoolLook> {
  const now = () => noon;
  const nodePools = fakeNodePools({ pools: [of], nodes, secret, now });
  const looks = await lookAtPools({ nodePools, now, resolve: async () => resolution });
  return looks[0] as PoolLook;
}
