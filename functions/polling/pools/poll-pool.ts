import { lacksFinalizer } from "../../domain/node-pool/membership.ts";
import { workOf } from "../../domain/node-pool/settled.ts";
import { statusOf } from "../../domain/node-pool/status.ts";
import type { NodePool } from "../../domain/node-pool/types.ts";
import { poolExecutionName } from "../../execution-name.ts";
import type { Look } from "../../rolling/look.ts";
import type { Survey } from "../../rolling/survey.ts";
import { isAsItStands } from "../../rolling/write-status.ts";
import type { PoolInput } from "../../pool-contract.ts";
import type { Ports } from "../../task.ts";
import { startOnce } from "../start-once.ts";
import { resolve } from "./resolve.ts";

export interface PolledPool {
  readonly pool: NodePool;
  readonly look: Look;
  readonly act: "started" | "adopted" | "in-flight" | "held" | "none";
  readonly isRecorded: boolean;
}

/**
 * Looks at one node pool: asks for what its tag stands for, has written what is new about it, and starts an execution where
 * there is something to do for it, or where one was lost that held its claim.
 */
export async function pollPool(ports: Ports, pool: NodePool, survey: Survey): Promise<PolledPool> {
  const resolution = await resolve(ports, pool);
  const isLed = pool.execution !== null && (await ports.poolExecutions.state(pool.execution)) === "running";
  const look = await (isLed ? survey.glance(pool, resolution) : survey.look(pool, resolution));
  const act = isLed ? "in-flight" : whatToDo(pool, look);
  // Whoever leads a rollout writes where it stands; what a tag stands for by now only a poll knows.
  const isAtRest = act === "held" || act === "none";
  const isNews = resolution !== null || (isAtRest && !isAsItStands(pool, statusOf(look.tick, look.secretProblem)));
  const recorded = isNews ? await ports.poolChecks.record(pool, resolution) : "none";
  if (act === "adopted") await adopt(ports, pool);
  if (act === "started") await start(ports, pool, { after: "", recovering: false }, `at ${pool.resourceVersion}`);
  return { pool, look, act, isRecorded: recorded === "recorded" };
}

function whatToDo(pool: NodePool, { tick }: Look): PolledPool["act"] {
  if (pool.execution !== null) return "adopted";
  const isToBeLetGo = pool.isBeingDeleted && pool.hasFinalizer;
  const work = workOf(tick);
  if (work.kind === "working" || isToBeLetGo || lacksFinalizer(pool, tick.membership)) return "started";
  return work.kind === "held" ? "held" : "none";
}

/** The claim of an execution that is no longer running goes over to a fresh one. */
async function adopt(ports: Ports, pool: NodePool): Promise<void> {
  const after = pool.execution ?? "";
  await start(ports, pool, { after, recovering: true }, `recover ${after}`);
}

function start(
  { cluster, poolExecutions }: Ports,
  { name, uid }: NodePool,
  how: Pick<PoolInput, "after" | "recovering">,
  occasion: string,
): Promise<void> {
  const input: PoolInput = { cluster: cluster.name, pool: { name, uid }, ...how };
  const nameOf = (attempt: number) => poolExecutionName(input.pool, `${occasion} ${attempt}`);
  return startOnce(poolExecutions, nameOf, input, `node pool ${name}`);
}
