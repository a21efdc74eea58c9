import { formatRfc3339, secondsBetween } from "../../text/rfc3339.ts";
import { type GivenBack, nextDrainAt } from "../node/given-back.ts";
import { withDrainTimes } from "../node/drain.ts";
import { classifyNode, type NodeState } from "../node/node-state.ts";
import { bootRecordedAt, soakSecondsLeft } from "../node/soak.ts";
import { willStayUp } from "../step/slots.ts";
import type { KubeNode, Member, Slot } from "../node/bootc-node.ts";
import type { NodePoolSpec } from "../pool/node-pool.ts";

/** After this time, a node that is not Ready, or whose reboot was approved, is not expected back soon. */
export const overdueSeconds = 900;

export type Timeout =
  | { readonly kind: "staging" | "draining" | "rebooting" | "slot" | "not-ready"; readonly reason: string }
  /** No timeout is exceeded, or the start is unknown. */
  | null;

type Timeouts = Pick<
  NodePoolSpec,
  "analysis" | "drainTimeoutSeconds" | "rebootTimeoutSeconds" | "stagingTimeoutSeconds" | "minReadySeconds"
>;

/** Without timeouts of its own, a pool reports a drain after a quarter of an hour, and staging after an hour. */
const defaultDrainSeconds = 900;
const defaultStagingSeconds = 3600;

/** Returns the timeout that a node has exceeded. It then counts as degraded and continues if it can. */
export function timeoutStatus({ node, bootcNode }: Member, timeouts: Timeouts, now: Date): Timeout {
  const { slot, requestedAt, desiredImageState, drainBlockedBy, givenBack } = bootcNode;
  const state = classifyNode(bootcNode);
  if (state === "degraded") return null;
  if (state === "up-to-date") {
    if (slot === null || waitsForMetrics({ node, bootcNode }, timeouts, now)) return null;
    if (isSlotOverdue({ node, bootcNode }, slot, timeouts, now))
      return { kind: "slot", reason: `slot not released after ${slotSeconds(timeouts)} s` };
    if (isHealthy(node) && !isBackLate(node, slot, timeouts, now)) return null;
  }
  if (slot !== null && desiredImageState === "Booted" && slot.approvedAt !== null) {
    const limit = exceededLimit(slot.approvedAt, timeouts.rebootTimeoutSeconds, now);
    return limit === null ? null : { kind: "rebooting", reason: `${describeUnhealthy(node)} after ${limit} s` };
  }
  if (slot !== null && isDeadHolder(node, slot, timeouts, now))
    return { kind: "not-ready", reason: `not Ready for ${notReadyLimit(timeouts)} s` };
  if (slot !== null && desiredImageState === "Booted") return null;
  if (slot === null && state === "staged" && givenBack !== null)
    return { kind: "draining", reason: describeGivenBack(givenBack, drainBlockedBy) };
  if (slot !== null && state === "staged") {
    const seconds = timeouts.drainTimeoutSeconds ?? defaultDrainSeconds;
    const limit = exceededLimit(withDrainTimes(slot, requestedAt).acquiredAt, seconds, now);
    return limit === null
      ? null
      : { kind: "draining", reason: `not drained after ${limit} s${blockedBy(drainBlockedBy)}` };
  }
  if (!isStaging(state)) return null;
  const limit = exceededLimit(requestedAt, timeouts.stagingTimeoutSeconds ?? defaultStagingSeconds, now);
  return limit === null ? null : { kind: "staging", reason: `nothing staged after ${limit} s` };
}

function describeGivenBack(givenBack: GivenBack, block: string | null): string {
  const times = givenBack.count === 1 ? "once" : `${givenBack.count} times`;
  const next = formatRfc3339(nextDrainAt(givenBack));
  return `not drained in time ${times}, and gave its slot back; the next drain begins after ${next}${blockedBy(block)}`;
}

function blockedBy(block: string | null): string {
  return block === null ? "" : `: ${block}`;
}

/** Reports whether a node has not been Ready for so long that it is dead, and neither new nor about to be removed. */
export function isLongNotReady({ ready, readyChangedAt }: KubeNode, now: Date): boolean {
  return !ready && exceededLimit(readyChangedAt, overdueSeconds, now) !== null;
}

/** Returns how long a node may hold its slot after its reboot was approved: the reboot, and three times its soak. */
function slotSeconds({ rebootTimeoutSeconds, minReadySeconds }: Timeouts): number {
  return (rebootTimeoutSeconds ?? overdueSeconds) + 3 * minReadySeconds;
}

/** Reports whether a slot holder has stayed Ready long enough, and only its analysis, or Pawl, keeps its slot. */
function waitsForMetrics({ node, bootcNode }: Omit<Member, "name">, timeouts: Timeouts, now: Date): boolean {
  if (timeouts.analysis === null || !isHealthy(node) || !willStayUp(bootcNode)) return false;
  return bootRecordedAt(bootcNode) !== null && soakSecondsLeft({ node, bootcNode }, timeouts, now) === 0;
}

/**
 * Reports whether a slot holder that runs its image should have released its slot, and had not stayed Ready long enough by
 * then: it flaps, is back late, or its agent is never done. One that had waits for Pawl only, and one that is dead since
 * before exceeds its reboot timeout. Without such a timeout, the time begins when the node is first seen on its image.
 */
function isSlotOverdue({ node, bootcNode }: Omit<Member, "name">, slot: Slot, timeouts: Timeouts, now: Date): boolean {
  const bootedAt = bootRecordedAt(bootcNode);
  const since = timeouts.rebootTimeoutSeconds === null ? bootedAt : (slot.approvedAt ?? bootedAt);
  const limit = slotSeconds(timeouts);
  if (since === null || secondsBetween(since, now) <= limit) return false;
  if (hasChangedAfter(node, since, limit - timeouts.minReadySeconds, now)) return true;
  return isHealthy(node) ? !willStayUp(bootcNode) : timeouts.rebootTimeoutSeconds === null;
}

/** Reports whether a node has become Ready only after its reboot timeout: it stays overdue until it releases its slot. */
function isBackLate(node: KubeNode, { approvedAt }: Slot, { rebootTimeoutSeconds }: Timeouts, now: Date): boolean {
  if (approvedAt === null || rebootTimeoutSeconds === null) return false;
  return hasChangedAfter(node, approvedAt, rebootTimeoutSeconds, now);
}

/** Reports whether the Ready condition has changed later than `limit` seconds after `since`. A time in the future is ignored. */
function hasChangedAfter({ readyChangedAt }: KubeNode, since: Date, limit: number, now: Date): boolean {
  return readyChangedAt !== null && readyChangedAt <= now && secondsBetween(since, readyChangedAt) > limit;
}

function isHealthy({ ready, healthProblem }: KubeNode): boolean {
  return ready && healthProblem === null;
}

/** Reports whether a slot holder is dead, whatever image it should run: no reboot is approved that it could end. */
function isDeadHolder({ ready, readyChangedAt }: KubeNode, slot: Slot, timeouts: Timeouts, now: Date): boolean {
  return !ready && exceededLimit(readyChangedAt ?? slot.acquiredAt, notReadyLimit(timeouts), now) !== null;
}

function notReadyLimit({ rebootTimeoutSeconds }: Timeouts): number {
  return Math.max(overdueSeconds, rebootTimeoutSeconds ?? 0);
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
