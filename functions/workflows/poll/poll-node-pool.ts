import type { PoolInput } from "../../contract/node-pool-rollout.ts";
import { parseImageReference } from "../../domain/image/reference.ts";
import { lacksFinalizer } from "../../domain/node-pool/membership.ts";
import type { NodePool } from "../../domain/node-pool/node-pool.ts";
import { assessWork } from "../../domain/node-pool/plan-steps.ts";
import { computePoolStatus } from "../../domain/node-pool/status.ts";
import { isResolutionDue, type Resolution } from "../../domain/node-pool/target.ts";
import type { Ports } from "../../contract/ports.ts";
import { poolExecutionName } from "../execution-name.ts";
import type { PoolView, PoolObserver } from "../node-pool-rollout/observe-pool.ts";
import { isStatusUnchanged } from "../node-pool-rollout/record-status.ts";
import { startExecutionIdempotently } from "../start-execution.ts";

/** What polling a node pool needs of `Ports`. */
export type PollPoolPorts = Pick<
  Ports,
  "cluster" | "nodePools" | "now" | "poolCheckRecorder" | "poolExecutions" | "registry" | "tagCacheSeconds"
>;

export interface NodePoolResult {
  readonly pool: NodePool;
  readonly view: PoolView;
  readonly action: "started" | "adopted" | "in-flight" | "held" | "none";
  readonly isRecorded: boolean;
}

/**
 * Evaluates one node pool: resolves its tag, records what has changed, and starts an execution if there is work, or if
 * the execution that held the claim was lost.
 */
export async function pollNodePool(
  ports: PollPoolPorts,
  pool: NodePool,
  observer: PoolObserver,
): Promise<NodePoolResult> {
  const resolution = await resolveTag(ports, pool);
  const hasRunningExecution =
    pool.execution !== null && (await ports.poolExecutions.state(pool.execution)) === "running";
  const view = await (hasRunningExecution
    ? observer.observeMetadata(pool, resolution)
    : observer.observe(pool, resolution));
  const action = hasRunningExecution ? "in-flight" : chooseAction(pool, view);
  // The execution of a rollout writes the status; only a poll resolves the tag.
  const isIdle = action === "held" || action === "none";
  const isChanged =
    resolution !== null || (isIdle && !isStatusUnchanged(pool, computePoolStatus(view.poolState, view.secretProblem)));
  const recorded = isChanged ? await ports.poolCheckRecorder.record(pool, resolution) : "none";
  if (action === "adopted") await adoptRollout(ports, pool);
  if (action === "started")
    await startRollout(ports, pool, { previousExecution: "", adopting: false }, `at ${pool.resourceVersion}`);
  return { pool, view, action, isRecorded: recorded === "recorded" };
}

function chooseAction(pool: NodePool, { poolState }: PoolView): NodePoolResult["action"] {
  if (pool.execution !== null) return "adopted";
  const hasFinalizerToRemove = pool.isBeingDeleted && pool.hasFinalizer;
  const work = assessWork(poolState);
  if (work.kind === "working" || hasFinalizerToRemove || lacksFinalizer(pool, poolState.membership)) return "started";
  return work.kind === "held" ? "held" : "none";
}

/** Starts an execution that takes over the claim of one that no longer runs. */
async function adoptRollout(ports: PollPoolPorts, pool: NodePool): Promise<void> {
  const lost = pool.execution ?? "";
  await startRollout(ports, pool, { previousExecution: lost, adopting: true }, `recover ${lost}`);
}

function startRollout(
  { cluster, poolExecutions }: Pick<Ports, "cluster" | "poolExecutions">,
  { name, uid }: NodePool,
  origin: Pick<PoolInput, "previousExecution" | "adopting">,
  seed: string,
): Promise<void> {
  const input: PoolInput = { cluster: cluster.name, pool: { name, uid }, ...origin };
  const createName = (attempt: number) => poolExecutionName(input.pool, `${seed} ${attempt}`);
  return startExecutionIdempotently(poolExecutions, createName, input, `node pool ${name}`);
}

/**
 * Resolves a pool's tag, with its pull secret if that may be read; null if no resolution is due. After a failure the
 * previous target stays, and the status says why.
 */
export async function resolveTag(
  { registry, nodePools, now }: Pick<Ports, "registry" | "nodePools" | "now">,
  pool: NodePool,
): Promise<Resolution | null> {
  const { imageRef: ref, pullSecretRef } = pool.spec;
  const image = parseImageReference(ref);
  if ("kind" in image || pool.problems.length > 0 || pool.isBeingDeleted || !isResolutionDue(pool, now())) return null;
  const secret = pullSecretRef === null ? null : await nodePools.pullSecret(pullSecretRef);
  try {
    const logins = secret?.kind === "found" ? secret.logins : [];
    return { kind: "resolved", ref, digest: await registry.digestOf(image, logins) };
  } catch (error) {
    return { kind: "failed", ref, reason: error instanceof Error ? error.message || error.name : String(error) };
  }
}
