import { type NodeState, parseDigest, stateForTarget } from "../node/node-state.ts";
import { chooseNodeImage } from "./target.ts";
import { timeoutStatus } from "../halt/timeouts.ts";
import type { Member } from "../node/bootc-node.ts";
import type { PoolState } from "./pool-state.ts";

export type StateCounts = Readonly<Record<NodeState, number>>;

/** Returns the state in which a node is counted, relative to the image that it should run: degraded after a timeout. */
export function stateForCounting(member: Member, { pool, now, desired, failedDigest }: PoolState): NodeState {
  if (timeoutStatus(member, pool.spec, now) !== null) return "degraded";
  const image = desired === null ? "" : chooseNodeImage(member.bootcNode, desired.image, failedDigest);
  return stateForTarget(member.bootcNode, parseDigest(image));
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
