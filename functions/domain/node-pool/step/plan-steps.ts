import { needsCommands } from "../agent/needs-commands.ts";
import { isFlapping, isOverdue } from "../halt/overdue.ts";
import type { DrainedPod } from "../node/drain.ts";
import { planJoiningStep, planLeavingStep, planMemberStep } from "./node-steps.ts";
import { type NodeStep, waitFor } from "./step.ts";
import { isRollbackPending } from "../halt/rollback.ts";
import type { PoolState } from "../pool/pool-state.ts";

export interface NodeStepPlan {
  readonly name: string;
  readonly step: NodeStep;
}

export type WorkStatus =
  | { readonly kind: "working" }
  /**
   * Nothing can proceed until a person, a window or another pool acts: the execution ends, and a poll evaluates the
   * pool again.
   */
  | { readonly kind: "held"; readonly reasons: readonly string[] }
  /** Every node runs its desired image, or has left the pool that is being deleted. */
  | { readonly kind: "completed" };

type PodsByNode = ReadonlyMap<string, readonly DrainedPod[]>;

/**
 * Plans the next step of every node of a pool; leaving nodes come first because they release slots. Plans nothing if
 * the spec is invalid, because its selector may be wrong; nodes still leave a pool that is being deleted.
 */
export function planSteps(poolState: PoolState, pods: PodsByNode = new Map()): readonly NodeStepPlan[] {
  const { members, joining, leaving } = poolState.membership;
  if (isSpecInvalid(poolState)) return [];
  const steps = [
    ...leaving.map((node) => ({ name: node.name, step: planLeavingStep(node, poolState.now) })),
    ...members.map((node) => ({ name: node.name, step: planMemberStep(node, poolState, pods.get(node.name) ?? null) })),
    ...joining.map(({ name }) => ({ name, step: planJoiningStep(name, poolState) })),
  ];
  return steps.map((one) => withRefusal(one, poolState));
}

/** A write that admission denied waits for a person. */
function withRefusal({ name, step }: NodeStepPlan, { refused }: PoolState): NodeStepPlan {
  const reason = refused.get(name);
  return { name, step: reason === undefined ? step : waitFor("owner", reason) };
}

/**
 * Assesses whether an execution has work to do: the poll asks before it starts one, and the execution before it ends. A
 * pending command of a node without a daemon is work, even while the pool is held.
 */
export function assessWork(poolState: PoolState): WorkStatus {
  if (isSpecInvalid(poolState)) return { kind: "held", reasons: poolState.problems };
  const steps = planSteps(poolState);
  const isWorking = needsCommands(poolState) || isRollbackPending(poolState) || poolState.isWaitingForAlerts;
  if (isWorking || steps.some((one) => isActionable(one, poolState))) return { kind: "working" };
  const reasons = holdReasons(steps, poolState);
  return reasons.length === 0 ? { kind: "completed" } : { kind: "held", reasons };
}

/** Lists denied writes first, each with its node, then all other reasons once. */
function holdReasons(steps: readonly NodeStepPlan[], { refused }: PoolState): readonly string[] {
  const waiting = steps.flatMap(({ name, step }) => (step.kind === "wait" ? [{ name, reason: step.reason }] : []));
  const first = waiting.filter(({ name }) => refused.has(name));
  const others = waiting.filter(({ name }) => !refused.has(name));
  return [...first.map(({ name, reason }) => `${name}: ${reason}`), ...new Set(others.map(({ reason }) => reason))];
}

/**
 * Reports whether a step needs the execution to go on. Agents stage by themselves: if no slot can be acquired
 * afterwards, the execution does not wait for them. Nor does it wait for overdue nodes while the rollout is halted; a
 * poll notices their return, and when a node that flaps has stayed Ready. A poll queries no alerts: the execution waits for their end.
 */
function isActionable({ name, step }: NodeStepPlan, poolState: PoolState): boolean {
  if (step.kind === "none") return false;
  if (step.kind !== "wait") return true;
  if (step.for === "staging") return poolState.noSlotReason === null;
  if (step.for === "agent" || step.for === "readiness") return !(poolState.isHalted && isOverdue(name, poolState));
  return step.for === "pods" || (step.for === "soak" && !isFlapping(name, poolState));
}

function isSpecInvalid({ problems, pool }: PoolState): boolean {
  return problems.length > 0 && !pool.isBeingDeleted;
}
