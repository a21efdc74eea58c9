import { type NodeState, stateForTarget } from "./node-state.ts";
import { timeoutStatus } from "./timeouts.ts";
import type { Member } from "./bootc-node.ts";
import type { NodePoolSpec } from "./node-pool.ts";

export type StateCounts = Readonly<Record<NodeState, number>>;

/** Returns the state in which a node is counted: degraded after a timeout. */
export function stateForCounting(
  member: Member,
  targetDigest: string | null,
  spec: NodePoolSpec,
  now: Date,
): NodeState {
  return timeoutStatus(member, spec, now) === null ? stateForTarget(member.bootcNode, targetDigest) : "degraded";
}

export function countStates(states: readonly NodeState[]): StateCounts {
  const of = (state: NodeState) => states.filter((candidate) => candidate === state).length;
  return {
    degraded: of("degraded"),
    pending: of("pending"),
    "up-to-date": of("up-to-date"),
    staging: of("staging"),
    staged: of("staged"),
    rebooting: of("rebooting"),
  };
}

/** Formats counts as bootc-operator does: `1/5 updated; 1 pending, 1 staging, 1 staged, 1 rebooting, 0 degraded`. */
export function describeCounts(counts: StateCounts): string {
  const { pending, staging, staged, rebooting, degraded } = counts;
  const total = counts["up-to-date"] + pending + staging + staged + rebooting + degraded;
  const rest = `${pending} pending, ${staging} staging, ${staged} staged, ${rebooting} rebooting, ${degraded} degraded`;
  return `${counts["up-to-date"]}/${total} updated; ${rest}`;
}
