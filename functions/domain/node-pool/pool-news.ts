import { inWords, type PoolEventType, type PoolNews } from "./news.ts";
import { targetImage } from "./target.ts";
import type { DegradedReason, NodePool, NodePoolStatus } from "./types.ts";

/**
 * What there is to tell of a pool whose status is about to be written. `before` is the pool as it stands in the cluster, without
 * what a registry has said since. Two writers that have read the same tell the same, under the same keys; the write that follows
 * fails with `Conflict` for one of them.
 */
export function poolNews(before: NodePool, after: NodePoolStatus, execution: string | null): readonly PoolNews[] {
  const image = targetImage({ ...before, status: after });
  const told = [...rolloutNews(before, after, image), ...healthNews(before.status, after)];
  const key = `${before.resourceVersion} ${after.targetDigest}`;
  return told.map((news) => ({ ...news, message: inWords(news.message, execution), key, execution, image }));
}

type Told = Pick<PoolNews, "event" | "type" | "reason" | "message">;

/** A pool that is being deleted rolls nothing out, and is not done with it when its last node has left. */
function rolloutNews(before: NodePool, after: NodePoolStatus, image: string | null): readonly Told[] {
  if (image === null || before.isBeingDeleted) return [];
  return [
    ...(isUpdateAvailable(before.status, after) ? [updateAvailable(after, image)] : []),
    ...(isStarting(before.status, after) ? [rolloutStarted(after, image)] : []),
    ...(isCompleted(before.status, after) ? [rolloutCompleted(after, image)] : []),
  ];
}

/** The first image of all is no update of anything. */
function isUpdateAvailable(before: NodePoolStatus, { targetDigest, deployedDigest }: NodePoolStatus): boolean {
  const isFirst = before.targetDigest === null && deployedDigest === null;
  return targetDigest !== before.targetDigest && targetDigest !== deployedDigest && !isFirst;
}

function isStarting(before: NodePoolStatus, after: NodePoolStatus): boolean {
  if (upToDateIn(after)?.reason !== "RolloutInProgress") return false;
  return before.targetDigest !== after.targetDigest || !hasStarted(before);
}

/** Once for each target: neither after a pause, nor where nodes join, or fail, after it was deployed. */
function hasStarted(status: NodePoolStatus): boolean {
  const reason = upToDateIn(status)?.reason;
  const isPaused = reason === "Paused" && status.updatedCount > 0;
  return status.deployedDigest === status.targetDigest || reason === "RolloutInProgress" || isPaused;
}

/** Nothing is completed by a node that had an error on the target for a while, by the last node's leaving, or at first sight. */
function isCompleted(before: NodePoolStatus, after: NodePoolStatus): boolean {
  if (upToDateIn(before)?.status !== "False" || upToDateIn(after)?.status !== "True") return false;
  return after.nodeCount > 0 && (before.deployedDigest !== after.targetDigest || before.updatingCount > 0);
}

function updateAvailable({ deployedDigest }: NodePoolStatus, image: string): Told {
  const message = `${image} is available${deployedDigest === null ? "" : `, ${deployedDigest} is deployed`}`;
  return { event: "Node Pool Update Available", type: "Normal", reason: "ImageUpdateAvailable", message };
}

function rolloutStarted({ nodeCount }: NodePoolStatus, image: string): Told {
  const message = `Rolling out ${image} to ${nodeCount === 1 ? "1 node" : `${nodeCount} nodes`}`;
  return { event: "Node Pool Rollout Started", type: "Normal", reason: "RolloutStarted", message };
}

function rolloutCompleted({ nodeCount, updatedCount }: NodePoolStatus, image: string): Told {
  const message = `Rolled out ${image}: ${updatedCount} of ${nodeCount} nodes run it`;
  return { event: "Node Pool Rollout Completed", type: "Normal", reason: "RolloutCompleted", message };
}

/** Told when the reason changes; its message names other nodes at every look. */
function healthNews(before: NodePoolStatus, after: NodePoolStatus): readonly Told[] {
  const { reason: was } = degradedIn(before);
  const { reason, message } = degradedIn(after);
  if (reason === was) return [];
  if (reason !== "Healthy") return [{ event: eventOf(reason), type: "Warning", reason, message }];
  return [{ event: "Node Pool Recovered", type: "Normal", reason, message: `Healthy again: no longer ${was}` }];
}

function eventOf(reason: Exclude<DegradedReason, "Healthy">): PoolEventType {
  return reason === "RolloutHalted" ? "Node Pool Rollout Halted" : "Node Pool Degraded";
}

function upToDateIn({ conditions }: NodePoolStatus) {
  return conditions.find((condition) => condition.type === "UpToDate");
}

/** A pool of which nothing was said yet counts as healthy: that it is so is no news. */
function degradedIn({ conditions }: NodePoolStatus) {
  const found = conditions.find((condition) => condition.type === "Degraded");
  return found ?? ({ reason: "Healthy", message: "" } as const);
}
