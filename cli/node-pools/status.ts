import type { StateName } from "../../functions/domain/state/state.ts";
import { describeCounts, stateForCounting, countStates } from "../../functions/domain/node-pool/pool/state-counts.ts";
import { findIgnoredSettings } from "../../functions/domain/node-pool/pool/ignored-settings.ts";
import { assessWork } from "../../functions/domain/node-pool/step/plan-steps.ts";
import { computePoolStatusFromPoll } from "../../functions/domain/node-pool/pool/status.ts";
import type { NodePool, NodePoolStatus } from "../../functions/domain/node-pool/pool/node-pool.ts";
import type { ObservedPool } from "./observe.ts";

/** One pool as `pawl pools --json` prints it; the counts are named as in its status. */
export interface PoolStatus {
  readonly name: string;
  readonly image: string;
  /** The target digest; null before its tag was first resolved. */
  readonly target: string | null;
  /** The last digest that all nodes ran; null before that. */
  readonly deployed: string | null;
  readonly nodeCount: number;
  readonly updatedCount: number;
  readonly updatingCount: number;
  readonly degradedCount: number;
  readonly state: StateName;
  /** In CamelCase, for programs. */
  readonly reason: PoolReason;
  /** A sentence for people; may be empty. */
  readonly message: string;
  readonly paused: boolean;
  readonly execution: string | null;
  readonly problems: readonly string[];
}

export function poolStatus(view: ObservedPool): PoolStatus {
  const { pool } = view;
  const status = computePoolStatusFromPoll(view.poolState, secretProblem(pool));
  return {
    name: pool.name,
    image: pool.spec.imageRef,
    target: status.targetDigest,
    deployed: status.deployedDigest,
    nodeCount: status.nodeCount,
    updatedCount: status.updatedCount,
    updatingCount: status.updatingCount,
    degradedCount: status.degradedCount,
    ...describeState(view, status),
    paused: pool.spec.paused,
    execution: pool.execution,
    problems: problemsOf(view),
  };
}

/** Why a pool is in its state. */
export type PoolReason =
  | "BeingDeleted"
  | "InvalidConfiguration"
  | "RolloutHalted"
  | "RolledBack"
  | "Degraded"
  | "TagNotResolved"
  | "Suspended"
  | "AllUpdated"
  | "NoSlot"
  | "RollingOut"
  | "RollingBack";

export interface PoolStateAndReason {
  readonly state: StateName;
  readonly reason: PoolReason;
  readonly message: string;
}

function createPoolState(state: StateName, reason: PoolReason, message: string): PoolStateAndReason {
  return { state, reason, message };
}

/** Returns the state of highest severity. */
function describeState(view: ObservedPool, { conditions }: NodePoolStatus): PoolStateAndReason {
  const { pool, poolState: observed } = view;
  const degraded = conditions.find(({ type, status }) => type === "Degraded" && status === "True");
  if (pool.isBeingDeleted) return createPoolState("Waiting", "BeingDeleted", describeLeaving(view));
  if (observed.problems.length > 0)
    return createPoolState("Stalled", "InvalidConfiguration", observed.problems.join("; "));
  if (degraded?.reason === "RolloutHalted") return createPoolState("Stalled", "RolloutHalted", degraded.message);
  // While nodes still go back, that is what it does.
  const work = observed.desired === null ? null : assessWork(observed);
  const isRolledBack = degraded?.reason === "RolledBack";
  if (isRolledBack && work?.kind === "completed") return createPoolState("Behind", "RolledBack", degraded.message);
  if (degraded !== undefined && !isRolledBack)
    return createPoolState("Stalled", "Degraded", `${degraded.reason}: ${degraded.message}`);
  if (work === null) return createPoolState("NotEvaluated", "TagNotResolved", "the next poll resolves its tag");
  const counts = describeNodeCounts(view);
  if (pool.spec.paused) return createPoolState("Held", "Suspended", work.kind === "completed" ? "" : counts);
  if (work.kind === "completed") return createPoolState("UpToDate", "AllUpdated", "");
  if (work.kind === "held") return createPoolState("Waiting", "NoSlot", work.reasons.join("; "));
  const message = `${counts}${pool.execution === null ? "; the next poll starts it" : ""}`;
  return observed.failedDigest === null
    ? createPoolState("Updating", "RollingOut", message)
    : createPoolState("RollingBack", "RollingBack", message);
}

function describeLeaving({ poolState: { membership } }: ObservedPool): string {
  const { length } = membership.leaving;
  return length === 0 ? "" : `${length === 1 ? "1 node is" : `${length} nodes are`} still leaving`;
}

function describeNodeCounts({ poolState }: ObservedPool): string {
  const { membership } = poolState;
  const states = membership.members.map((member) => stateForCounting(member, poolState));
  return describeCounts(countStates([...states, ...membership.joining.map(() => "pending" as const)]));
}

/** Returns the pull secret's problem from the pool's conditions: the CLI does not read the secret. */
function secretProblem({ spec, status }: NodePool): string | null {
  if (spec.pullSecretRef === null) return null;
  return status.conditions.find(({ reason }) => reason === "SecretError")?.message ?? null;
}

/** Returns the problems of the pool as a whole, without those of its nodes. */
function problemsOf({ pool, poolState }: ObservedPool): readonly string[] {
  const { tagProblem } = poolState.pool.status;
  const secret = secretProblem(pool);
  return [
    ...poolState.problems,
    ...(tagProblem === null ? [] : [`its tag could not be resolved: ${tagProblem}`]),
    ...(secret === null ? [] : [`its pull secret could not be read: ${secret}`]),
    ...(poolState.isHalted
      ? ["the rollout is halted: no node acquires a slot until fewer nodes with a slot are unhealthy"]
      : []),
    ...findIgnoredSettings(pool.spec),
    ...poolState.membership.contested.map(
      ({ name, owner }) => `${name} matches its selector, but belongs to ${owner ?? "no pool"}`,
    ),
  ];
}
