import { observePools, type ObservedPool } from "../../../cli/node-pools/observe.ts";
import type { Resolution } from "../../../functions/domain/node-pool/pool/target.ts";
import type { PoolNode } from "../../../functions/domain/node-pool/node/bootc-node.ts";
import type { NodePool } from "../../../functions/domain/node-pool/pool/node-pool.ts";
import type { PullSecret } from "../../../functions/ports/node-pools.ts";
import { pool } from "../../domain/node-pool/pools.ts";
import { fakeNodePools } from "../../support/fakes/fake-node-pools.ts";
import { noon } from "../../support/workloads.ts";

interface Scene {
  readonly pool?: NodePool;
  readonly nodes?: readonly PoolNode[];
  readonly resolution?: Resolution | null;
  readonly secret?: PullSecret;
}

/** Observes the only pool of a cluster. */
export async function observeOnly({
  pool: only = pool(),
  nodes = [],
  resolution = null,
  secret = { kind: "unread" },
}: Scene): Promise<ObservedPool> {
  const now = () => noon;
  const nodePools = fakeNodePools({ pools: [only], nodes, secret, now });
  const observed = await observePools({ nodePools, now, resolve: async () => resolution });
  return observed[0] as ObservedPool;
}
