import { digestOf } from "./classify.ts";
import { degradedCondition, type Findings, upToDateCondition } from "./conditions.ts";
import { countedState, countStates } from "./counts.ts";
import { workOf } from "./settled.ts";
import { stuckness } from "./stuck.ts";
import type { Tick } from "./tick.ts";
import type { Member, NodePoolStatus, PoolCondition } from "./types.ts";

/**
 * The status of a pool after a tick. `secretProblem` says why the pull secret could not be read; the rollout goes on without it.
 * A target that was never resolved leaves everything but the Degraded condition as it was.
 */
export function statusOf(tick: Tick, secretProblem: string | null): NodePoolStatus {
  const { pool, now, membership, asks, problems } = tick;
  const degraded = degradedCondition(findingsOf(tick, secretProblem));
  const observed = { ...pool.status, observedGeneration: pool.generation };
  if (asks === null || problems.length > 0) {
    return { ...observed, conditions: [...keptConditions(pool.status), degraded] };
  }
  const targetDigest = digestOf(asks.image);
  const states = membership.members.map((member) => countedState(member, targetDigest, pool.spec, now));
  // Who is about to join will not run the target before it was asked to.
  const counts = countStates([...states, ...membership.joining.map(() => "pending" as const)]);
  const nodeCount = states.length + membership.joining.length;
  const updatedCount = counts["up-to-date"];
  const deployedDigest = updatedCount === nodeCount ? targetDigest : pool.status.deployedDigest;
  return {
    ...observed,
    targetDigest,
    deployedDigest,
    updateAvailable: targetDigest !== deployedDigest,
    nodeCount,
    updatedCount,
    updatingCount: counts.pending + counts.staging + counts.staged + counts.rebooting,
    degradedCount: counts.degraded,
    conditions: [upToDateCondition(counts, nodeCount, pool.spec.paused), degraded],
  };
}

/**
 * The same for one who takes no steps: only an execution that tries again finds out that the cluster refuses nothing any longer,
 * so that a node was degraded stands until then.
 */
export function statusUntried(tick: Tick, secretProblem: string | null): NodePoolStatus {
  const status = statusOf(tick, secretProblem);
  const before = tick.pool.status.conditions.find(({ reason }) => reason === "NodeDegraded");
  if (before === undefined || workOf(tick).kind !== "working") return status;
  const isHealthy = ({ reason }: PoolCondition) => reason === "Healthy";
  return { ...status, conditions: status.conditions.map((condition) => (isHealthy(condition) ? before : condition)) };
}

function findingsOf(tick: Tick, secretProblem: string | null): Findings {
  const { pool, membership, unhealthy, problems } = tick;
  return {
    degraded: [...membership.members.flatMap((member) => whatIsWrong(member, tick)), ...refusedOthers(tick)],
    contested: membership.contested,
    secretProblem,
    halting: tick.isHalted ? unhealthy : [],
    problems,
    tagProblem: pool.status.tagProblem,
  };
}

/** An agent's own words stand on its BootcNode, and change with every attempt. */
function whatIsWrong(member: Member, { pool, now, refused }: Tick): Findings["degraded"] {
  const why = refused.get(member.name) ?? stuckness(member, pool.spec, now)?.reason ?? null;
  return why === null && member.bootcNode.error === null ? [] : [{ name: member.name, why }];
}

/** Those that join or leave. */
function refusedOthers({ membership: { joining, leaving }, refused }: Tick): Findings["degraded"] {
  return [...joining, ...leaving].flatMap(({ name }) => {
    const why = refused.get(name);
    return why === undefined ? [] : [{ name, why }];
  });
}

/** Nothing was counted, so what was said of the nodes before still stands. */
function keptConditions({ conditions }: NodePoolStatus): readonly PoolCondition[] {
  return conditions.filter(({ type }) => type === "UpToDate");
}
