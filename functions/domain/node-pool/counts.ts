import { type NodeState, stateTowards } from "./classify.ts";
import { stuckness } from "./stuck.ts";
import type { Member, NodePoolSpec } from "./types.ts";

export type StateCounts = Readonly<Record<NodeState, number>>;

/** The state in which a node counts: one that is stuck counts as degraded. */
export function countedState(member: Member, targetDigest: string | null, spec: NodePoolSpec, now: Date): NodeState {
  return stuckness(member, spec, now) === null ? stateTowards(member.bootcNode, targetDigest) : "degraded";
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

/** As bootc-operator writes it: `1/5 updated; 1 pending, 1 staging, 1 staged, 1 rebooting, 0 degraded`. */
export function breakdown(counts: StateCounts): string {
  const { pending, staging, staged, rebooting, degraded } = counts;
  const total = counts["up-to-date"] + pending + staging + staged + rebooting + degraded;
  const rest = `${pending} pending, ${staging} staging, ${staged} staged, ${rebooting} rebooting, ${degraded} degraded`;
  return `${counts["up-to-date"]}/${total} updated; ${rest}`;
}
