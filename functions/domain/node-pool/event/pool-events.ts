import { withExecution, type PoolEventType, type PoolEvent } from "./event.ts";
import { findIgnoredSettings } from "../pool/ignored-settings.ts";
import { computeTargetImage } from "../pool/target.ts";
import type { DegradedReason, NodePool, NodePoolStatus } from "../pool/node-pool.ts";

/**
 * Returns the Events of a pool whose status is about to be written. `before` is the pool as stored in the cluster,
 * without the new resolution. Two writers that read the same version emit the same keys; one of their writes then fails
 * with `Conflict`.
 */
export function poolEvents(before: NodePool, after: NodePoolStatus, execution: string | null): readonly PoolEvent[] {
  const image = computeTargetImage({ ...before, status: after });
  const events = [
    ...rolloutEvents(before, after, image),
    ...healthEvents(before.status, after),
    ...settingEvents(before, after),
  ];
  const key = `${before.resourceVersion} ${after.targetDigest}`;
  return events.map((details) => ({
    ...details,
    message: withExecution(details.message, execution),
    key,
    execution,
    image,
  }));
}

type PoolEventDetails = Pick<PoolEvent, "event" | "type" | "reason" | "message">;

/** A pool that is being deleted has no rollout, and does not complete when its last node leaves. */
function rolloutEvents(before: NodePool, after: NodePoolStatus, image: string | null): readonly PoolEventDetails[] {
  if (image === null || before.isBeingDeleted) return [];
  return [
    ...(isUpdateAvailable(before.status, after) ? [updateAvailableEvent(after, image)] : []),
    ...(isStarting(before.status, after) ? [rolloutStartedEvent(after, image)] : []),
    ...(isPausing(before, after) ? [rolloutPausedEvent(before, after, image)] : []),
    ...(isCompleted(before.status, after) ? [rolloutCompletedEvent(after, image)] : []),
  ];
}

/** The first image of a pool is not an update, and one without nodes has none. */
function isUpdateAvailable(
  before: NodePoolStatus,
  { targetDigest, deployedDigest, nodeCount }: NodePoolStatus,
): boolean {
  const isFirst = before.targetDigest === null && deployedDigest === null;
  return nodeCount > 0 && targetDigest !== before.targetDigest && targetDigest !== deployedDigest && !isFirst;
}

function isStarting(before: NodePoolStatus, after: NodePoolStatus): boolean {
  if (findUpToDate(after)?.reason !== "RolloutInProgress") return false;
  return before.targetDigest !== after.targetDigest || !hasStarted(before);
}

/** Once per target: not after a pause, and not if nodes join or fail after it was deployed. */
function hasStarted(status: NodePoolStatus): boolean {
  const reason = findUpToDate(status)?.reason;
  const isPaused = reason === "Paused" && status.updatedCount > 0;
  return status.deployedDigest === status.targetDigest || reason === "RolloutInProgress" || isPaused;
}

/** Reports whether a rollout has come to a step that waits for a person. */
function isPausing({ spec, status }: NodePool, { progress }: NodePoolStatus): boolean {
  const wave = spec.steps[(progress?.step ?? 0) - 1];
  const { digest, step, since } = status.progress ?? {};
  const wasThere = digest === progress?.digest && step === progress?.step && since !== null;
  return wave?.kind === "pause" && wave.seconds === null && !wasThere;
}

/**
 * A rollout does not complete because a node recovers from an error on the target, because the last node leaves, or at
 * the first observation.
 */
function isCompleted(before: NodePoolStatus, after: NodePoolStatus): boolean {
  if (findUpToDate(before)?.status !== "False" || findUpToDate(after)?.status !== "True") return false;
  return after.nodeCount > 0 && (before.deployedDigest !== after.targetDigest || before.updatingCount > 0);
}

function updateAvailableEvent({ deployedDigest }: NodePoolStatus, image: string): PoolEventDetails {
  const message = `${image} is available${deployedDigest === null ? "" : `, ${deployedDigest} is deployed`}`;
  return { event: "Node Pool Update Available", type: "Normal", reason: "ImageUpdateAvailable", message };
}

function rolloutStartedEvent({ nodeCount }: NodePoolStatus, image: string): PoolEventDetails {
  const message = `Rolling out ${image} to ${nodeCount === 1 ? "1 node" : `${nodeCount} nodes`}`;
  return { event: "Node Pool Rollout Started", type: "Normal", reason: "RolloutStarted", message };
}

function rolloutPausedEvent({ name, spec }: NodePool, after: NodePoolStatus, image: string): PoolEventDetails {
  const step = `step ${after.progress?.step}/${spec.steps.length}`;
  const message = `${image} waits at ${step}, with ${after.updatedCount} of ${after.nodeCount} nodes updated; continue with pawl promote bootcnodepool/${name}, or pawl abort`;
  return { event: "Node Pool Rollout Paused", type: "Normal", reason: "RolloutPaused", message };
}

function rolloutCompletedEvent({ nodeCount, updatedCount }: NodePoolStatus, image: string): PoolEventDetails {
  const message = `Rolled out ${image}: ${updatedCount} of ${nodeCount} nodes run it`;
  return { event: "Node Pool Rollout Completed", type: "Normal", reason: "RolloutCompleted", message };
}

/** Emitted when the reason changes; the nodes in its message change more often. */
function healthEvents(before: NodePoolStatus, after: NodePoolStatus): readonly PoolEventDetails[] {
  const { reason: previous } = findDegraded(before);
  const { reason, message } = findDegraded(after);
  if (reason === previous) return [];
  if (reason !== "Healthy") return [{ event: degradedEventType(reason), type: "Warning", reason, message }];
  return [{ event: "Node Pool Recovered", type: "Normal", reason, message: `Healthy again: no longer ${previous}` }];
}

function degradedEventType(reason: Exclude<DegradedReason, "Healthy">): PoolEventType {
  return reason === "RolloutHalted" ? "Node Pool Rollout Halted" : "Node Pool Degraded";
}

/** Emitted once for each spec. */
function settingEvents({ spec, status }: NodePool, after: NodePoolStatus): readonly PoolEventDetails[] {
  if (status.observedGeneration === after.observedGeneration) return [];
  const message = findIgnoredSettings(spec).join("; ");
  return message === "" ? [] : [{ event: null, type: "Warning", reason: "SettingIgnored", message }];
}

function findUpToDate({ conditions }: NodePoolStatus) {
  return conditions.find((condition) => condition.type === "UpToDate");
}

/** A pool without conditions counts as healthy, so that its first Healthy condition is no Event. */
function findDegraded({ conditions }: NodePoolStatus) {
  const found = conditions.find((condition) => condition.type === "Degraded");
  return found ?? ({ reason: "Healthy", message: "" } as const);
}
