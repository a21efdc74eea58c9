import { breakdown, countedState, countStates } from "../../functions/domain/node-pool/counts.ts";
import { workOf } from "../../functions/domain/node-pool/settled.ts";
import { statusUntried } from "../../functions/domain/node-pool/status.ts";
import type { NodePool, NodePoolStatus } from "../../functions/domain/node-pool/types.ts";
import type { PoolLook } from "./look.ts";

export type PoolState =
  | "up-to-date"
  | "rolling-out"
  /** Nothing moves until a person, a window or another pool has its way. */
  | "waiting"
  | "paused"
  | "halted"
  | "degraded"
  | "unresolved"
  | "invalid"
  | "being-deleted";

/** One pool as `pawl pools --json` prints it; the counts are named as in its status. */
export interface PoolStatus {
  readonly name: string;
  readonly image: string;
  /** The digest that its nodes are to run; null before its tag was resolved for the first time. */
  readonly target: string | null;
  /** What all of them ran last; null before that. */
  readonly deployed: string | null;
  readonly nodeCount: number;
  readonly updatedCount: number;
  readonly updatingCount: number;
  readonly degradedCount: number;
  readonly state: PoolState;
  /** A sentence for people; empty where there is nothing to say. */
  readonly message: string;
  readonly paused: boolean;
  readonly execution: string | null;
  readonly problems: readonly string[];
}

export function poolStatus(look: PoolLook): PoolStatus {
  const { pool } = look;
  const status = statusUntried(look.tick, secretProblem(pool));
  return {
    name: pool.name,
    image: pool.spec.imageRef,
    target: status.targetDigest,
    deployed: status.deployedDigest,
    nodeCount: status.nodeCount,
    updatedCount: status.updatedCount,
    updatingCount: status.updatingCount,
    degradedCount: status.degradedCount,
    ...standing(look, status),
    paused: pool.spec.paused,
    execution: pool.execution,
    problems: problemsOf(look),
  };
}

type Standing = Pick<PoolStatus, "state" | "message">;

/** The gravest first. */
function standing(look: PoolLook, { conditions }: NodePoolStatus): Standing {
  const { pool, tick } = look;
  const degraded = conditions.find(({ type, status }) => type === "Degraded" && status === "True");
  if (pool.isBeingDeleted) return { state: "being-deleted", message: leavingInWords(look) };
  if (tick.problems.length > 0) return { state: "invalid", message: tick.problems.join("; ") };
  if (degraded?.reason === "RolloutHalted") return { state: "halted", message: degraded.message };
  if (degraded !== undefined) return { state: "degraded", message: `${degraded.reason}: ${degraded.message}` };
  if (tick.asks === null) return { state: "unresolved", message: "its tag is to be resolved by the next poll" };
  const work = workOf(tick);
  if (pool.spec.paused) return { state: "paused", message: work.kind === "settled" ? "" : countsOf(look) };
  if (work.kind === "settled") return { state: "up-to-date", message: "" };
  if (work.kind === "held") return { state: "waiting", message: work.reasons.join("; ") };
  return {
    state: "rolling-out",
    message: `${countsOf(look)}${pool.execution === null ? "; the next poll starts it" : ""}`,
  };
}

function leavingInWords({ tick: { membership } }: PoolLook): string {
  const { length } = membership.leaving;
  return length === 0 ? "" : `${length === 1 ? "1 node is" : `${length} nodes are`} still to leave it`;
}

function countsOf({ tick: { membership, pool, now } }: PoolLook): string {
  const { targetDigest } = pool.status;
  const states = membership.members.map((member) => countedState(member, targetDigest, pool.spec, now));
  return breakdown(countStates([...states, ...membership.joining.map(() => "pending" as const)]));
}

/** Whether the pull secret can be read is known to who rolls out, and to nobody here. */
function secretProblem({ spec, status }: NodePool): string | null {
  if (spec.pullSecretRef === null) return null;
  return status.conditions.find(({ reason }) => reason === "SecretError")?.message ?? null;
}

/** All that is wrong with the pool as a whole; what is wrong with a node stands with the node. */
function problemsOf({ pool, tick }: PoolLook): readonly string[] {
  const { tagProblem } = tick.pool.status;
  const secret = secretProblem(pool);
  return [
    ...tick.problems,
    ...(tagProblem === null ? [] : [`its tag could not be resolved: ${tagProblem}`]),
    ...(secret === null ? [] : [`its pull secret could not be read: ${secret}`]),
    ...(tick.isHalted ? ["the rollout is halted: no node takes a slot until fewer holders are unhealthy"] : []),
    ...tick.membership.contested.map(({ name, owner }) => `${name} matches it, and belongs to ${owner ?? "no pool"}`),
  ];
}
