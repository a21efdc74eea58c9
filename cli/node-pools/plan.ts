import { type DrainedPod, findDrainLosses, findDrainProblems } from "../../functions/domain/node-pool/node/drain.ts";
import { findIgnoredSettings } from "../../functions/domain/node-pool/pool/ignored-settings.ts";
import { lacksFinalizer } from "../../functions/domain/node-pool/pool/membership.ts";
import { planSteps, assessWork } from "../../functions/domain/node-pool/step/plan-steps.ts";
import type { NodePool } from "../../functions/domain/node-pool/pool/node-pool.ts";
import type { PoolState } from "../../functions/domain/node-pool/pool/pool-state.ts";
import type { Ports } from "../../functions/contract/ports.ts";
import { resolveTag } from "../../functions/workflows/poll/poll-node-pool.ts";
import { formatPoolName } from "./name.ts";
import { nodeStatuses, type PoolNodeStatus } from "./nodes.ts";
import { type ObservedPool, observePools } from "./observe.ts";
import { type PodsByNode, readPodsOfOutdatedNodes } from "./pods.ts";
import { poolStatus, type PoolStateAndReason } from "./status.ts";

/** One node pool of a plan, as `--json` prints it: fields like a workload's, and its nodes. */
export interface PlannedPool extends PoolStateAndReason {
  readonly workload: string;
  readonly kind: "BootcNodePool";
  /** Node pools are cluster-wide. */
  readonly namespace: null;
  readonly name: string;
  /** The last digest that all of its nodes ran. */
  readonly current: string | null;
  /** The target digest. */
  readonly candidate: string | null;
  /** The next step of each node that does not run the target digest. */
  readonly nodes: readonly PlannedNode[];
}

export interface PlannedNode extends Pick<PoolNodeStatus, "node" | "state" | "next"> {
  /** What its drain loses or must not evict: a sentence for each pod without a controller or with emptyDir data. */
  readonly drain: readonly string[];
}

/** Plans a pool. `pods` are those of nodes that will be drained, if they were read. */
export function planPool(view: ObservedPool, pods: PodsByNode = new Map()): PlannedPool {
  const { pool, poolState } = view;
  const status = poolStatus(view);
  return {
    workload: formatPoolName(pool),
    kind: "BootcNodePool",
    namespace: null,
    name: pool.name,
    current: status.deployed,
    candidate: status.target,
    state: status.state,
    reason: status.reason,
    message: describeWork(view),
    nodes: nodeStatuses(poolState, pods)
      .filter(({ next }) => next !== null)
      .map(({ node, state, next }) => ({ node, state, next, drain: describeDrain(pods.get(node) ?? [], pool) })),
  };
}

function describeDrain(pods: readonly DrainedPod[], { spec }: NodePool): readonly string[] {
  const problems = findDrainProblems(pods, spec.drain);
  return problems.length > 0 ? problems : findDrainLosses(pods);
}

/** Describes what the next poll does, or why it does nothing. */
function describeWork(view: ObservedPool): string {
  const { pool, poolState } = view;
  const work = assessWork(poolState);
  if (pool.isBeingDeleted && pool.execution === null) return "it is being deleted; its nodes are released";
  if (poolState.problems.length > 0) return poolState.problems.join("; ");
  if (poolState.desired === null) return joinReasons(view);
  if (pool.execution !== null) return joinReasons(view, `by execution ${pool.execution}`, ...describeSlots(poolState));
  if (work.kind === "working") return joinReasons(view, countChanges(poolState), ...describeSlots(poolState));
  if (lacksFinalizer(pool, poolState.membership)) return joinReasons(view, "its finalizer is missing");
  if (work.kind === "completed")
    return joinReasons(
      view,
      `every node runs the ${poolState.failedDigest === null ? "target digest" : "image before"}`,
    );
  return joinReasons(view, countChanges(poolState), ...work.reasons);
}

/** Joins the registry's result and other reasons. If a tag cannot be resolved, its previous digest remains the target. */
function joinReasons({ pool, resolution, poolState }: ObservedPool, ...more: readonly string[]): string {
  const { tagProblem } = poolState.pool.status;
  const { failedDigest } = poolState;
  const { targetDigest } = pool.status;
  const isNew = resolution?.kind === "resolved" && resolution.digest !== targetDigest;
  return [
    ...(isNew
      ? [targetDigest === null ? "its tag is resolved for the first time" : "its tag resolves to a new digest"]
      : []),
    ...(tagProblem === null ? [] : [`its tag could not be resolved: ${tagProblem}`]),
    ...(failedDigest === null ? [] : [`${failedDigest} halted a rollout and is not tried again`]),
    ...more,
    ...findIgnoredSettings(pool.spec),
  ].join("; ");
}

function countChanges(poolState: PoolState): string {
  const changing = planSteps(poolState).filter(({ step }) => step.kind !== "none").length;
  const { members, joining, leaving } = poolState.membership;
  return `${changing} of ${members.length + joining.length + leaving.length} nodes will change`;
}

/** Describes which nodes acquire a slot, or why none does. */
function describeSlots({ slotRecipients, noSlotReason }: PoolState): readonly string[] {
  if (noSlotReason !== null) return [`no node acquires a slot: ${noSlotReason}`];
  return slotRecipients.size === 0
    ? []
    : [`${[...slotRecipients].join(", ")} ${slotRecipients.size === 1 ? "acquires a slot" : "acquire slots"}`];
}

/**
 * Observes every node pool as a poll does, without changing anything. If that is forbidden, it warns and returns none. Throws any
 * other error of the cluster.
 */
export async function planPools(
  ports: Pick<Ports, "nodePools" | "registry" | "now">,
  warn: (message: string) => void,
): Promise<readonly PlannedPool[]> {
  const { nodePools, now } = ports;
  try {
    const views = await observePools({ nodePools, now, resolve: (pool) => resolveTag(ports, pool) });
    const refusals: Error[] = [];
    const pods = await Promise.all(
      views.map(({ poolState }) =>
        readPodsOfOutdatedNodes(nodePools, poolState, (refusal) => void refusals.push(refusal)),
      ),
    );
    for (const { message } of refusals.slice(0, 1)) warn(`pods that a drain loses are not named: ${message}`);
    return views.map((view, index) => planPool(view, pods[index]));
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "Forbidden") throw error;
    warn(`node pools excluded: ${error.message}`);
    return [];
  }
}
