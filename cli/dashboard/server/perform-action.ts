import { randomUUID } from "node:crypto";
import type { WorkloadRef } from "../../../functions/domain/workload/workload.ts";
import type { Cluster } from "../../../functions/ports/cluster.ts";
import type { NodePools } from "../../../functions/ports/node-pools.ts";
import { NotFound } from "../../exit-codes.ts";
import { describeNextPoll } from "../../local/next-poll.ts";
import { changePaused } from "../../node-pools/change-pool.ts";
import { findPool } from "../../node-pools/find.ts";
import { parsePoolName } from "../../node-pools/name.ts";
import { changeNamedWorkload } from "../../workloads/change.ts";
import { writeRequest } from "../../workloads/write-request.ts";
import type { Action, ActionResult } from "../actions.ts";

interface Sources {
  readonly cluster: Pick<Cluster, "read" | "change" | "request">;
  readonly nodePools: Pick<NodePools, "list" | "read" | "setPaused"> | null;
  /** The URL of the API server. */
  readonly server: string;
  readonly refOf: (key: string) => WorkloadRef | null;
}

/** Does what the equivalent command does, without waiting for the answer: the status shows it. Throws as the command does. */
export async function performAction(sources: Sources, action: Action): Promise<ActionResult> {
  const pool = parsePoolName(action.target);
  return pool === null ? performOnWorkload(sources, action) : performOnPool(sources.nodePools, pool, action);
}

async function performOnWorkload(
  { cluster, refOf, server }: Sources,
  { verb, target, argument }: Action,
): Promise<ActionResult> {
  const ref = refOf(target);
  const workload = ref === null ? null : await cluster.read(ref);
  if (workload === null) throw new NotFound(`${target} does not exist, or Pawl does not update it`);
  if (verb === "pause" || verb === "resume") {
    const paused = verb === "pause";
    const before = await changeNamedWorkload(cluster, workload, ({ policy }) =>
      policy.paused === paused ? null : { paused },
    );
    return describePause(paused, before !== null);
  }
  const written = await writeRequest(cluster, workload, { verb, argument, token: randomUUID() });
  if (written.kind === "refused") return { isRefused: true, message: written.reason };
  return { isRefused: false, message: `requested: ${await describeNextPoll(server)}` };
}

async function performOnPool(nodePools: Sources["nodePools"], name: string, { verb }: Action): Promise<ActionResult> {
  if (verb !== "pause" && verb !== "resume") {
    return { isRefused: true, message: "a node pool can only be paused and resumed" };
  }
  const paused = verb === "pause";
  const pool = findPool(name, (await nodePools?.list()) ?? []);
  const isChanged = nodePools !== null && (await changePaused(nodePools, pool, paused));
  return describePause(paused, isChanged);
}

function describePause(paused: boolean, isChanged: boolean): ActionResult {
  const already = paused ? "already paused" : "not paused";
  return { isRefused: !isChanged, message: isChanged ? (paused ? "paused" : "resumed") : already };
}
