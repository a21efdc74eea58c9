import { secondsBetween } from "../time.ts";
import { classify, type NodeState } from "./classify.ts";
import type { Member, NodePoolSpec } from "./types.ts";

export type Stuck =
  | { readonly kind: "staging" | "draining" | "rebooting"; readonly reason: string }
  /** Nothing is late, or it is not known since when. */
  | null;

type Timeouts = Pick<NodePoolSpec, "drainTimeoutSeconds" | "rebootTimeoutSeconds" | "stagingTimeoutSeconds">;

/** Whether a node has made no progress for longer than its pool allows. It then counts as degraded, and goes on if it can. */
export function stuckness({ node, bootcNode }: Member, timeouts: Timeouts, now: Date): Stuck {
  const { slot, askedAt, desiredImageState } = bootcNode;
  const state = classify(bootcNode);
  if (state === "degraded" || (state === "up-to-date" && (slot === null || node.ready))) return null;
  if (slot !== null && desiredImageState === "Booted") {
    const late = lateness(slot.approvedAt, timeouts.rebootTimeoutSeconds, now);
    return late === null ? null : { kind: "rebooting", reason: `not back on its new image and Ready after ${late} s` };
  }
  if (slot !== null && state === "staged") {
    const late = lateness(slot.takenAt, timeouts.drainTimeoutSeconds, now);
    return late === null ? null : { kind: "draining", reason: `not drained after ${late} s` };
  }
  if (!isStaging(state)) return null;
  const late = lateness(askedAt, timeouts.stagingTimeoutSeconds, now);
  return late === null ? null : { kind: "staging", reason: `nothing staged after ${late} s` };
}

function isStaging(state: NodeState): boolean {
  return state === "pending" || state === "staging";
}

/** The limit, once it has passed: a message that names what has elapsed would change with every look. */
function lateness(since: Date | null, limitSeconds: number | null, now: Date): number | null {
  if (since === null || limitSeconds === null) return null;
  return secondsBetween(since, now) > limitSeconds ? limitSeconds : null;
}
