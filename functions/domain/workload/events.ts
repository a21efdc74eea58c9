import { isDigestPinned, isSameImage, versionOf } from "../image/reference.ts";
import { formatRfc3339 } from "../text/rfc3339.ts";
import { describeBackOff, isStalled } from "./back-off.ts";
import { isConfigTarget } from "./config/tracking.ts";
import { keepsImages } from "./restart-request.ts";
import { hasRollbackPins } from "./digest/record.ts";
import type { CanarySize } from "./canary/canary-size.ts";
import type { CanaryProgress } from "./canary/canary-step.ts";
import { describeStep } from "./canary/progress.ts";
import type { BackOff, InFlight, Workload } from "./workload.ts";

export const updateEventTypes = [
  "Update Available",
  "Update Started",
  "Hook Succeeded",
  "Hook Failed",
  "Canary Paused",
  "Canary Promoted",
  "Update Succeeded",
  "Update Rolled Back",
  "Update Withdrawn",
  "Circuit Opened",
  "Update Held",
] as const;

export type UpdateEventType = (typeof updateEventTypes)[number];

/** One event of an update, emitted as a Kubernetes Event on the workload and on the event bus. */
export interface UpdateEvent {
  readonly event: UpdateEventType;
  readonly type: "Normal" | "Warning";
  /** The Event's reason; k8s4claw's own if it has one. */
  readonly reason: string;
  readonly message: string;
  /** Deduplicates: repeated emissions with one key become one Event. */
  readonly key: string;
  readonly execution: string | null;
  readonly version: string | null;
  readonly image: string | null;
}

export function updateAvailableEvent(workload: Workload, version: string, image: string): UpdateEvent {
  const from = workload.updateRecord.currentVersion;
  const available = `Version ${version} is available${from === null ? "" : `, current is ${from}`}`;
  const message = isConfigTarget(image)
    ? `The configuration has changed: ${version}`
    : keepsImages(image)
      ? `A restart is requested: ${version}`
      : available;
  const about = { execution: null, version, image };
  return { event: "Update Available", type: "Normal", reason: "AutoUpdateAvailable", message, key: version, ...about };
}

export function updateStartedEvent(image: string, execution: string, canary: CanarySize | null = null): UpdateEvent {
  const about = { key: execution, execution, version: versionOf(image), image };
  const strategy = canary === null ? "" : ` with a canary of ${canary.amount}${canary.unit === "percent" ? " %" : ""}`;
  const message = `Updating to ${image}${strategy} (execution ${execution})`;
  return { event: "Update Started", type: "Normal", reason: "AutoUpdateStarting", message, ...about };
}

export function restartStartedEvent(image: string, execution: string): UpdateEvent {
  const cause = isConfigTarget(image) ? "changed configuration" : keepsImages(image) ? "a request" : "the new digest";
  const message = `Restarting for ${cause}: ${image} (execution ${execution})`;
  return { ...updateStartedEvent(image, execution), message };
}

export function releaseStartedEvent(image: string, execution: string): UpdateEvent {
  const message = `Rolling back to the release of ${image} (execution ${execution})`;
  return { ...updateStartedEvent(image, execution), message };
}

/** Reports a pause of a canary: one that waits for a person is withdrawn at its end, any other continues. */
export function canaryPausedEvent(
  { targetImage: image, execution, startedAt }: InFlight,
  progress: CanaryProgress,
): UpdateEvent {
  const { step, waitsFor, until, since } = progress;
  const at = ` at ${formatRfc3339(until ?? since)}`;
  const outcome = waitsFor === "Time" ? `it continues${at}` : `run "pawl promote" to continue; it is withdrawn${at}`;
  const message = `The canary of ${image} is paused at step ${describeStep(progress)}: ${outcome} (execution ${execution})`;
  // Another execution that adopts the update announces the same pause.
  const key = `${startedAt === "malformed" ? startedAt : formatRfc3339(startedAt)} ${image} ${step}`;
  const about = { key, execution, version: versionOf(image), image };
  return { event: "Canary Paused", type: "Normal", reason: "AutoUpdateCanaryPaused", message, ...about };
}

export function canaryPromotedEvent(image: string, execution: string): UpdateEvent {
  const about = { key: execution, execution, version: versionOf(image), image };
  const message = `The canary of ${image} passed: updating all replicas (execution ${execution})`;
  return { event: "Canary Promoted", type: "Normal", reason: "AutoUpdateCanaryPromoted", message, ...about };
}

/** `reason` says what was not known of the update; empty if nothing. */
export function updateSucceededEvent(image: string, execution: string, reason = ""): UpdateEvent {
  const about = { key: execution, execution, version: versionOf(image), image };
  const unknown = reason === "" ? "" : `, without a verdict: ${reason}`;
  const message = `Updated to ${image}${unknown} (execution ${execution})`;
  return { event: "Update Succeeded", type: "Normal", reason: "AutoUpdateComplete", message, ...about };
}

export function updateRolledBackEvent(
  image: string,
  execution: string,
  reason: string,
  previous: string | null,
): UpdateEvent {
  const about = { key: execution, execution, version: versionOf(image), image };
  const message = `${describeOutcome(image, previous)}: ${reason} (execution ${execution})`;
  return { event: "Update Rolled Back", type: "Warning", reason: "AutoUpdateRollback", message, ...about };
}

/** If no previous image is known, as after a push that a person annotated, a rollback restores none. */
function describeOutcome(image: string, previous: string | null): string {
  if (previous !== null && isSameImage(image, previous))
    return `The update to ${image} failed, and stays because no previous image is known`;
  return `Rolled back from ${image} to ${previous ?? "the default image"}`;
}

/** Reports an update that was reverted without a verdict on its version: the first of a series of attempts is a warning. */
export function updateWithdrawnEvent(
  { backOff }: Pick<Workload, "backOff">,
  image: string,
  execution: string,
  reason: string,
): UpdateEvent {
  const about = { key: execution, execution, version: versionOf(image), image };
  const message = `Withdrew ${image}, which is tried again later: ${reason} (execution ${execution})`;
  const isRepeated = backOff?.targetImage === image && backOff.attempts > 1;
  const type = isRepeated ? "Normal" : "Warning";
  return { event: "Update Withdrawn", type, reason: "AutoUpdateWithdrawn", message, ...about };
}

/** Reports a failed update, or restart, whose outcome the workload does not show any more. */
export function updateFailedEvent(image: string, execution: string, reason: string): UpdateEvent {
  const message = `The update to ${image} failed: ${reason} (execution ${execution})`;
  return { ...updateRolledBackEvent(image, execution, reason, null), message };
}

/** A restart changed no image, so it can only restore a digest, if one is known and its owner allows it; never a configuration. */
function restartFailedEvent(image: string, execution: string, reason: string, isPinned: boolean): UpdateEvent {
  const kept = isConfigTarget(image)
    ? "the configuration stays"
    : keepsImages(image)
      ? "the image stays"
      : "there is no previous image to restore";
  const outcome = isPinned ? "the previous digests were pinned" : kept;
  const message = `The restart for ${image} failed: ${reason}; ${outcome} (execution ${execution})`;
  return { ...updateRolledBackEvent(image, execution, reason, null), message };
}

export function circuitOpenedEvent(workload: Workload, image: string, execution: string): UpdateEvent {
  const count = workload.updateRecord.rollbackCount;
  const about = { key: execution, execution, version: versionOf(image), image };
  const cause = isRevertFailed(workload) ? "because a rollback could not be reverted" : `after ${count} rollbacks`;
  const message = `Circuit opened ${cause}: no newer version is applied until it is reset`;
  return { event: "Circuit Opened", type: "Warning", reason: "AutoUpdateCircuitOpen", message, ...about };
}

/** Reports the first of a series of attempts that were not observed, and that the series ends; null for the others. */
export function backOffEvent(backOff: BackOff): UpdateEvent | null {
  const { attempts, until, targetImage } = backOff;
  const message = describeBackOff(backOff);
  const held = updateHeldEvent("AutoUpdateBackOff", message, versionOf(targetImage));
  return attempts === 1 || isStalled(backOff) ? { ...held, key: `${targetImage} ${formatRfc3339(until)}` } : null;
}

/** Reports why nothing is applied. `reason` is the Event's. */
export function updateHeldEvent(reason: string, message: string, version: string | null): UpdateEvent {
  const about = { key: message, execution: null, version, image: null };
  return { event: "Update Held", type: "Warning", reason, message, ...about };
}

/**
 * Returns the event of a failed update to `image`, for the workload after its rollback. An execution that resumes a
 * rollback recognizes a restart by its image: no update by tag names a digest.
 */
export function rollbackEvent(workload: Workload, image: string, execution: string, reason: string): UpdateEvent {
  const { release } = workload.inFlight ?? {};
  if (release !== undefined) {
    const outcome = isRevertFailed(workload) ? "the pod template before it is not restored" : "is reverted";
    const message = `Release ${release.number} of ${image} failed, and ${outcome}: ${reason} (execution ${execution})`;
    return { ...updateRolledBackEvent(image, execution, reason, null), message };
  }
  const isRestart = keepsImages(image) || (workload.digests !== null && isDigestPinned(image));
  if (!isRestart) return updateRolledBackEvent(image, execution, reason, workload.image);
  return restartFailedEvent(image, execution, reason, hasRollbackPins(workload, image));
}

function isRevertFailed({ updateRecord: { versionHistory } }: Workload): boolean {
  return versionHistory.at(-1)?.status === "RollbackFailed";
}
