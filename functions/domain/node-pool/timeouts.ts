import { secondsBetween } from "../text/rfc3339.ts";
import { classifyNode, type NodeState } from "./node-state.ts";
import type { KubeNode, Member } from "./bootc-node.ts";
import type { NodePoolSpec } from "./node-pool.ts";

export type Timeout =
  | { readonly kind: "staging" | "draining" | "rebooting"; readonly reason: string }
  /** No timeout is exceeded, or the start is unknown. */
  | null;

type Timeouts = Pick<NodePoolSpec, "drainTimeoutSeconds" | "rebootTimeoutSeconds" | "stagingTimeoutSeconds">;

/** Returns the timeout that a node has exceeded. It then counts as degraded and continues if it can. */
export function timeoutStatus({ node, bootcNode }: Member, timeouts: Timeouts, now: Date): Timeout {
  const { slot, requestedAt, desiredImageState } = bootcNode;
  const state = classifyNode(bootcNode);
  if (
    state === "degraded" ||
    (state === "up-to-date" && (slot === null || (node.ready && node.healthProblem === null)))
  )
    return null;
  if (slot !== null && desiredImageState === "Booted") {
    const limit = exceededLimit(slot.approvedAt, timeouts.rebootTimeoutSeconds, now);
    return limit === null ? null : { kind: "rebooting", reason: `${describeUnhealthy(node)} after ${limit} s` };
  }
  if (slot !== null && state === "staged") {
    const limit = exceededLimit(slot.acquiredAt, timeouts.drainTimeoutSeconds, now);
    return limit === null ? null : { kind: "draining", reason: `not drained after ${limit} s` };
  }
  if (!isStaging(state)) return null;
  const limit = exceededLimit(requestedAt, timeouts.stagingTimeoutSeconds, now);
  return limit === null ? null : { kind: "staging", reason: `nothing staged after ${limit} s` };
}

function describeUnhealthy({ ready, healthProblem }: KubeNode): string {
  return ready && healthProblem !== null ? healthProblem : "not back on its new image and Ready";
}

function isStaging(state: NodeState): boolean {
  return state === "pending" || state === "staging";
}

/** Returns the limit once it is exceeded. The elapsed time would change the message at every round. */
function exceededLimit(since: Date | null, limitSeconds: number | null, now: Date): number | null {
  if (since === null || limitSeconds === null) return null;
  return secondsBetween(since, now) > limitSeconds ? limitSeconds : null;
}
