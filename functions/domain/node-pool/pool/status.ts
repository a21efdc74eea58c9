import { describeGate } from "../../gates/describe-gate.ts";
import { findMeasuring } from "../node/analysis.ts";
import { classifyNode, parseDigest } from "../node/node-state.ts";
import { degradedCondition, deniedBy, type Findings, upToDateCondition } from "./conditions.ts";
import { stateForCounting, countStates } from "./state-counts.ts";
import { computeGoodImages, computeRollbackStatus, noRollbackReason } from "../halt/rollback.ts";
import { isSkipped } from "../step/slots.ts";
import { summarizeList } from "../../text/summarize-list.ts";
import { assessWork } from "../step/plan-steps.ts";
import { isLongNotReady, overdueSeconds, timeoutStatus } from "../halt/timeouts.ts";
import type { PoolState } from "./pool-state.ts";
import type { Member } from "../node/bootc-node.ts";
import type { NodePoolStatus, PoolCondition } from "./node-pool.ts";

/**
 * Computes the status of a pool. `secretProblem` says why the pull secret could not be read; the rollout continues
 * without it. If the target was never resolved, only the Degraded condition changes.
 */
export function computePoolStatus(poolState: PoolState, secretProblem: string | null): NodePoolStatus {
  const { pool, membership, desired, failedDigest, problems } = poolState;
  const handled = pool.status.conditions.filter(({ type }) => type === "RequestHandled");
  const degraded = degradedCondition(collectFindings(poolState, secretProblem));
  const observed = { ...pool.status, observedGeneration: pool.generation };
  if (desired === null || problems.length > 0) {
    return { ...observed, conditions: [...retainedConditions(pool.status), degraded, ...handled] };
  }
  const desiredDigest = parseDigest(desired.image);
  const targetDigest = failedDigest ?? desiredDigest;
  const states = membership.members.map((member) => stateForCounting(member, poolState));
  // A joining node cannot run the target before it was requested.
  const counts = countStates([...states, ...membership.joining.map(() => "pending" as const)]);
  const nodeCount = states.length + membership.joining.length;
  const updatedCount = counts["up-to-date"];
  const isOnTarget = ({ bootcNode }: Member) => bootcNode.bootedDigest === desiredDigest;
  // Without nodes nothing is deployed: the gates and the steps of the image are still to come.
  const isDeployed = nodeCount > 0 && updatedCount === nodeCount && membership.members.every(isOnTarget);
  const deployedDigest = isDeployed ? desiredDigest : pool.status.deployedDigest;
  return {
    ...observed,
    targetDigest,
    deployedDigest,
    ...(failedDigest === null ? computeGoodImages(poolState, desired.image) : {}),
    ...computeRollbackStatus(poolState, desired),
    gates: poolState.gates,
    updateAvailable: nodeCount > 0 && targetDigest !== deployedDigest,
    nodeCount,
    updatedCount,
    updatingCount: counts.pending + counts.staging + counts.staged + counts.rebooting,
    degradedCount: counts.degraded,
    conditions: [
      upToDateCondition(counts, nodeCount, pool.spec.paused, failedDigest, [
        ...poolState.gates.map(describeGate),
        ...(poolState.wave.waitsFor === null ? [] : [poolState.wave.waitsFor]),
        ...(poolState.alerts === null ? [] : [poolState.alerts]),
        ...poolState.pending,
        ...cordonedNodes(poolState),
      ]),
      degraded,
      ...handled,
    ],
  };
}

/**
 * Computes the status for a caller that executes no steps. Only an execution that retries can find out that admission
 * allows a write again, so a NodeDegraded condition stays until then, and so does one that says so beside another reason.
 */
export function computePoolStatusFromPoll(poolState: PoolState, secretProblem: string | null): NodePoolStatus {
  const status = computePoolStatus(poolState, secretProblem);
  const before = poolState.pool.status.conditions.find(({ type }) => type === "Degraded");
  if (before === undefined || assessWork(poolState).kind !== "working") return status;
  const isKept = ({ reason }: PoolCondition) =>
    reason === "Healthy"
      ? before.reason === "NodeDegraded"
      : reason === before.reason && before.message.includes(deniedBy);
  return { ...status, conditions: status.conditions.map((condition) => (isKept(condition) ? before : condition)) };
}

function collectFindings(poolState: PoolState, secretProblem: string | null): Findings {
  const { pool, membership, unhealthy, problems } = poolState;
  return {
    degraded: [
      ...membership.members.flatMap((member) => degradedFindings(member, poolState)),
      ...refusedNonMembers(poolState),
    ],
    contested: membership.contested,
    overlap: poolState.overlap,
    secretProblem,
    halting: poolState.isHalted ? unhealthy : [],
    noRollbackReason: noRollbackReason(poolState),
    failedDigest: poolState.failedDigest,
    isAborted: pool.status.abortedDigests.includes(poolState.failedDigest ?? ""),
    failedStaged: membership.members.filter(hasFailedStaged(pool)).map(({ name }) => name),
    problems,
    tagProblem: pool.status.tagProblem,
  };
}

/** Describes the nodes that wait until somebody uncordons them. */
function cordonedNodes({ membership, pool: { spec } }: PoolState): readonly string[] {
  const waiting = membership.members.filter(
    (one) => isSkipped(one, spec) && classifyNode(one.bootcNode) !== "up-to-date",
  );
  const names = summarizeList(waiting.map(({ name }) => name)).join(", ");
  return waiting.length === 0 ? [] : [`the uncordon of ${names}`];
}

/** A reboot that Pawl does not approve boots what is staged. */
function hasFailedStaged({ status }: PoolState["pool"]): (member: Member) => boolean {
  return ({ bootcNode: { stagedDigest, bootedDigest } }) =>
    stagedDigest !== null && stagedDigest !== bootedDigest && status.failedDigests.includes(stagedDigest);
}

/** An agent's own message is on its BootcNode and changes with every attempt, so it is not repeated here. */
function degradedFindings(member: Member, poolState: PoolState): Findings["degraded"] {
  const { pool, now, refused } = poolState;
  const timeout = timeoutStatus(member, pool.spec, now);
  const reason =
    refused.get(member.name) ??
    timeout?.reason ??
    findMeasuring(member, pool, now)?.problem ??
    blockingReason(member, poolState);
  return reason === null && member.bootcNode.error === null ? [] : [{ name: member.name, reason }];
}

/**
 * Describes a node without a slot that has not been Ready for so long that it stalls a rollout, of this pool or of one
 * that depends on it; null otherwise. A new node, or one that an autoscaler removes, is not reported. Once the pool is
 * degraded, one that flaps is until it is seen Ready.
 */
function blockingReason(member: Member, poolState: PoolState): string | null {
  const { pool, blockers, membership, now, isWaitedFor, wave } = poolState;
  const { name, node, bootcNode } = member;
  const isLong = isLongNotReady(node, now);
  const isDegraded = pool.status.conditions.some(({ reason }) => reason === "NodeDegraded");
  if (bootcNode.slot !== null || node.ready || !(isLong || isDegraded)) return null;
  const since = isLong ? `not Ready for ${overdueSeconds} s` : "not Ready";
  if (wave.failing.includes(name)) return `${since}, and its step waits for it`;
  const isRollingOut = membership.members.some((one) => classifyNode(one.bootcNode) !== "up-to-date");
  if (isRollingOut && blockers.some((blocker) => blocker.name === name)) return `${since}, and uses up maxUnavailable`;
  return isWaitedFor ? `${since}, and dependent pools wait for it` : null;
}

/** Reports whether the last execution was denied a write to a node. */
export function hasDeniedWrites({ conditions }: NodePoolStatus): boolean {
  return conditions.some(({ type, message }) => type === "Degraded" && message.includes(deniedBy));
}

/** Denied writes to nodes that join or leave. */
function refusedNonMembers({ membership: { joining, leaving }, refused }: PoolState): Findings["degraded"] {
  return [...joining, ...leaving].flatMap(({ name }) => {
    const reason = refused.get(name);
    return reason === undefined ? [] : [{ name, reason }];
  });
}

/** Keeps the UpToDate condition, because the nodes were not counted. */
function retainedConditions({ conditions }: NodePoolStatus): readonly PoolCondition[] {
  return conditions.filter(({ type }) => type === "UpToDate");
}
