import { randomUUID } from "node:crypto";
import { lastPoolRequest } from "../../functions/domain/node-pool/waves/request.ts";
import {
  formatRequest,
  parseRequest,
  type PersonRequest,
} from "../../functions/domain/workload/request/person-request.ts";
import { connectNodePools } from "../connect/node-pools.ts";
import { InvalidInput } from "../exit-codes.ts";
import type { ContextOptions } from "../options/cluster.ts";
import { printStderr } from "../output/print.ts";
import { awaitOutcome, type Sent } from "../workloads/await-outcome.ts";
import { readPoolOrThrow, writePoolRequest } from "./change-pool.ts";
import { findPool } from "./find.ts";
import { formatPoolName } from "./name.ts";

interface Options extends ContextOptions {
  readonly wait?: boolean;
  readonly reason?: string;
}

const poolVerbs: ReadonlySet<string> = new Set(["promote", "abort", "retry"]);

/** Writes a request to a node pool, and waits for its answer. Throws the errors of finding and writing. */
export async function sendPoolRequest(
  name: string,
  requested: Pick<PersonRequest, "verb" | "argument">,
  options: Options,
  timeoutSeconds: number,
): Promise<Sent> {
  if (!poolVerbs.has(requested.verb))
    throw new InvalidInput(
      `bootcnodepool/${name}: a node pool has no ${requested.verb}; use promote, abort, retry, pause, resume or its spec`,
    );
  const nodePools = await connectNodePools(options);
  const found = findPool(name, await nodePools.list());
  const request: PersonRequest = {
    ...requested,
    token: randomUUID(),
    ...(options.reason === undefined ? {} : { reason: options.reason }),
  };
  await writePoolRequest(nodePools, found, formatRequest(request));
  const workload = formatPoolName(found);
  const when = "its rollout or the next poll handles it";
  if (options.wait === false) return { workload, request, outcome: { status: "requested", result: when } };
  printStderr(`${workload}: ${when}`);
  const read = async () => {
    const pool = await readPoolOrThrow(nodePools, found);
    return { request: parseRequest(pool.request, []), lastRequest: lastPoolRequest(pool) };
  };
  return { workload, request, outcome: await awaitOutcome(read, request, timeoutSeconds, when) };
}
