import type { Executions } from "../../ports/executions.ts";
import type { PoolInput } from "../../contract/node-pool-rollout.ts";
import { type ClosedGate, toFoundGate } from "../../domain/gates/closed-gate.ts";
import { parseImageReference, tagOf } from "../../domain/image/reference.ts";
import { lacksFinalizer } from "../../domain/node-pool/pool/membership.ts";
import type { NodePool } from "../../domain/node-pool/pool/node-pool.ts";
import { assessWork } from "../../domain/node-pool/step/plan-steps.ts";
import { computePoolStatus, hasDeniedWrites } from "../../domain/node-pool/pool/status.ts";
import { isResolutionDue, type Resolution } from "../../domain/node-pool/pool/target.ts";
import type { Ports } from "../../contract/ports.ts";
import { poolExecutionName } from "../execution-name.ts";
import type { PoolView, PoolObserver } from "../node-pool-rollout/observe-pool.ts";
import { whenThrottled } from "./polled-executions.ts";
import { isStatusUnchanged } from "../node-pool-rollout/record-status.ts";

const retryPeriodMs = 10 * 60_000;

/** What polling a node pool needs of `Ports`. */
export interface PollPoolPorts extends Pick<
  Ports,
  "cluster" | "nodePools" | "now" | "poolCheckRecorder" | "registry" | "tagCacheSeconds" | "verifier"
> {
  readonly poolExecutions: Executions<PoolInput>;
}

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
  const recorded = isChanged
    ? await ports.poolCheckRecorder.record(pool, resolution, view.poolState.gates.map(toFoundGate))
    : "none";
  const isToStart = action === "adopted" || action === "started";
  const isDelayed = isToStart && !(await startRollout(ports, pool).catch(whenThrottled(false)));
  return { pool, view, action: isDelayed ? "held" : action, isRecorded: recorded === "recorded" };
}

function chooseAction(pool: NodePool, { poolState }: PoolView): NodePoolResult["action"] {
  if (pool.execution !== null) return "adopted";
  const hasFinalizerToRemove = pool.isBeingDeleted && pool.hasFinalizer;
  const work = assessWork(poolState);
  if (work.kind === "working" || hasFinalizerToRemove || lacksFinalizer(pool, poolState.membership)) return "started";
  return work.kind === "held" ? "held" : "none";
}

/**
 * Starts an execution, which takes over the claim of one that no longer runs. If it ended without a trace, another is tried at once
 * and then every ten minutes, so that names never run out. So is one after writes that admission denied, or a gate that the execution could
 * not judge, while this poll can: for the same image and spec it is likely to end as the last one did. Reports whether one runs.
 */
async function startRollout(
  { cluster, poolExecutions, now }: Pick<PollPoolPorts, "cluster" | "poolExecutions" | "now">,
  { name, uid, execution, resourceVersion, generation, status }: NodePool,
): Promise<boolean> {
  const ref = { name, uid };
  const input: PoolInput = {
    cluster: cluster.name,
    pool: ref,
    previousExecution: execution ?? "",
    adopting: execution !== null,
  };
  const isRepeated = execution === null && (hasDeniedWrites(status) || status.gates.some(isUnjudged));
  const begin = isRepeated ? `denied ${status.targetDigest} of ${generation}` : `at ${resourceVersion}`;
  const occasion = execution === null ? begin : `recover ${execution}`;
  const start = (attempt: string) => poolExecutions.start(poolExecutionName(ref, `${occasion} ${attempt}`), input);
  if (!isRepeated && (await start("first")) === "started") return true;
  const period = Math.floor(now().getTime() / retryPeriodMs);
  return (await start(`again ${period}`)) === "started";
}

function isUnjudged({ reason }: ClosedGate): boolean {
  return /(?:Unknown|Unverified)$/.test(reason);
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
    const digest = await registry.digestOf(image, logins);
    const { minimumReleaseAgeSeconds = 0 } = pool.spec.gatePolicy;
    const pushed = minimumReleaseAgeSeconds > 0 ? await registry.pushTimes?.(image, [tagOf(ref)]) : undefined;
    const found = pushed?.get(tagOf(ref));
    return { kind: "resolved", ref, digest, ...(found?.digest === digest ? { pushedAt: found.at } : {}) };
  } catch (error) {
    return { kind: "failed", ref, reason: error instanceof Error ? error.message || error.name : String(error) };
  }
}
