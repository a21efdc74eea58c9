import type { Tick } from "../tick.ts";
import { agentStep } from "./agent-step.ts";

/**
 * Whether a node without a daemon has a command in flight, or one that is to be sent now. False for every other pool, while
 * the pool cannot be read, and for nodes that rest after a failure: a poll looks again.
 */
export function needsCommands({ pool, problems, membership, now }: Tick): boolean {
  if (pool.spec.agent !== "RunCommand" || problems.length > 0) return false;
  const turn = { now, rebootPolicy: pool.spec.rebootPolicy, images: null };
  return membership.members.some(({ bootcNode }) => agentStep(bootcNode, turn).kind !== "none");
}
