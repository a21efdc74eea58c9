import type { PoolState } from "../pool/pool-state.ts";
import { planAgentStep } from "./next-command.ts";

/**
 * Reports whether a node without a daemon has a command in flight, or one to send now. False for pools with a daemon,
 * for an invalid pool, and for nodes that back off after a failure, which the next poll evaluates.
 */
export function needsCommands({ pool, problems, membership, now }: PoolState): boolean {
  if (pool.spec.agent !== "RunCommand" || problems.length > 0) return false;
  const context = { now, rebootPolicy: pool.spec.rebootPolicy, images: null };
  return membership.members.some(({ bootcNode }) => planAgentStep(bootcNode, context).kind !== "none");
}
