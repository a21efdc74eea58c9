import { describeNodeStep } from "../../domain/node-pool/step/describe-step.ts";
import { type DrainedPod, findDrainProblems } from "../../domain/node-pool/node/drain.ts";
import { evictionBlockedEvent, forcedDrainEvent } from "../../domain/node-pool/event/node-events.ts";
import type { Member } from "../../domain/node-pool/node/bootc-node.ts";
import { planMemberStep } from "../../domain/node-pool/step/node-steps.ts";
import { isDrainTimedOut } from "../../domain/node-pool/step/slot-steps.ts";
import type { PoolState } from "../../domain/node-pool/pool/pool-state.ts";
import type { NodeStep } from "../../domain/node-pool/step/step.ts";
import { summarizeList, truncate } from "../../domain/text/summarize-list.ts";
import type { Ports } from "../../contract/ports.ts";
import { emitNodeEvent } from "../emit-events.ts";
import { mapConcurrent } from "../map-concurrent.ts";
import { emitStepEvent } from "./emit-node-events.ts";
import { skipReason } from "./skip-reason.ts";

/** The cluster, and where its events are published. */
type DrainPorts = Pick<Ports, "cluster" | "nodePools" | "events">;

const missingRight =
  "the group pawl:drainers lacks the right to delete pods: kubectl apply -k infra/cluster/node-pools/forced-drains";

/** In characters. */
const maxReasonLength = 512;

/** Per node; several nodes are drained concurrently. */
const maxConcurrentEvictions = 4;

/**
 * Continues the drain of one node and describes the result: evicts pods, and approves the reboot once none is left. A
 * pod that is blocked by a PodDisruptionBudget or by admission is retried in the next round. Throws `Conflict` if the
 * node has changed since it was read, and `AdmissionDenied` if the write is denied.
 */
export async function drainNode(ports: DrainPorts, poolState: PoolState, member: Member): Promise<string> {
  const pods = await ports.nodePools.listPods(member.name);
  const step = planMemberStep(member, poolState, pods);
  if (step.kind === "wait")
    await reportBlock(ports, poolState, member, findDrainProblems(pods, poolState.pool.spec.drain));
  if (step.kind === "evict") return `${member.name}: ${await evictPods(ports, poolState, member, step.pods)}`;
  if (endsDrain(step)) {
    await emitStepEvent(ports, poolState.pool, member, step);
    const { bootcNode } = await ports.nodePools.write(poolState.pool, member, step);
    // Rounds may be further apart than the timeout: without an eviction in this one, there would be none.
    if (step.kind === "restart-drain" && bootcNode !== null)
      return `${member.name}: ${describeNodeStep(step)}; ${await drainNode(ports, poolState, { ...member, bootcNode })}`;
  }
  return `${member.name}: ${describeNodeStep(step)}`;
}

/** Reports whether the next step of a node depends on its pods, which have not been read yet. */
export function isWaitingForPods(member: Member, poolState: PoolState): boolean {
  const step = planMemberStep(member, poolState, null);
  return step.kind === "wait" && step.for === "pods";
}

/** All other steps belong to `reconcile-nodes`, which has no access to pods. */
function endsDrain(step: NodeStep): step is Extract<NodeStep, { readonly kind: "approve" | "restart-drain" }> {
  return step.kind === "approve" || step.kind === "restart-drain";
}

async function evictPods(
  ports: DrainPorts,
  poolState: PoolState,
  member: Member,
  pods: readonly DrainedPod[],
): Promise<string> {
  const refusals = (
    await mapConcurrent(pods, maxConcurrentEvictions, (pod) => evictionRefusal(ports, poolState, member, pod))
  ).flat();
  await reportBlock(ports, poolState, member, refusals);
  const [reason] = refusals;
  return `${pods.length - refusals.length} evicted${reason === undefined ? "" : `, ${refusals.length} not yet: ${truncate(reason)}`}`;
}

/** Reports the pods that cannot be evicted, each with the reason, once the drain is slow, and records them on the node. */
async function reportBlock(
  ports: DrainPorts,
  poolState: PoolState,
  member: Member,
  blocked: readonly string[],
): Promise<void> {
  const event = evictionBlockedEvent(member, blocked, poolState);
  if (event !== null) await emitNodeEvent(ports, poolState.pool, member, event);
  const reason = event === null ? null : truncate(summarizeList(blocked).join("; "), maxReasonLength);
  const isSlowOrOver = event !== null || blocked.length === 0;
  if (!isSlowOrOver || reason === member.bootcNode.drainBlockedBy) return;
  await ports.nodePools.write(poolState.pool, member, { kind: "record-block", reason });
}

/** Evicts a pod, and returns why not. After the timeout, `Force` deletes one that a PodDisruptionBudget protects. */
async function evictionRefusal(
  ports: DrainPorts,
  poolState: PoolState,
  member: Member,
  pod: DrainedPod,
): Promise<readonly string[]> {
  const eviction = await ports.nodePools.evict(pod);
  if (eviction.kind !== "refused") return [];
  const refusal = `${pod.namespace}/${pod.name}: ${eviction.reason}`;
  if (eviction.isBudget !== true || !isDrainTimedOut(member, poolState, "Force")) return [refusal];
  const emit = (outcome: string) =>
    emitNodeEvent(ports, poolState.pool, member, forcedDrainEvent(member, pod.uid, `${outcome} ${refusal}`, poolState));
  await emit("Deletes");
  try {
    const deletion = await ports.nodePools.deletePod(pod);
    return deletion.kind === "refused" ? [`${pod.namespace}/${pod.name}: ${deletion.reason}`] : [];
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "Forbidden") throw error;
    await emit(`Cannot delete (${missingRight})`);
    return [`${refusal}; ${missingRight}`];
  }
}

const maxConcurrentNodes = 4;

/**
 * Continues the drain of every node that waits for its pods. A node that has changed, or whose write is denied, is left
 * to the next round.
 */
export async function drainAllNodes(
  ports: DrainPorts,
  poolState: PoolState,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const waiting = poolState.membership.members.filter((member) => isWaitingForPods(member, poolState));
  return mapConcurrent(waiting, maxConcurrentNodes, async (member) => {
    if (signal?.aborted) return `${member.name}: is left to the next round`;
    return drainNode(ports, poolState, member).catch((error: unknown) => `${member.name}: ${skipReason(error)}`);
  });
}
