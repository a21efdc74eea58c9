import { versionOf } from "./image-reference.ts";
import type { CanarySize, Workload } from "./workload.ts";

export const updateEventTypes = [
  "Update Available",
  "Update Started",
  "Canary Promoted",
  "Update Succeeded",
  "Update Rolled Back",
  "Circuit Opened",
  "Update Held",
] as const;

export type UpdateEventType = (typeof updateEventTypes)[number];

/** One thing that happened, told twice: as an Event on the workload, and on the event bus. */
export interface News {
  readonly event: UpdateEventType;
  readonly type: "Normal" | "Warning";
  /** The Event's reason; k8s4claw's own where it has one. */
  readonly reason: string;
  readonly message: string;
  /** Makes one Event of what is told more than once. */
  readonly key: string;
  readonly execution: string | null;
  readonly version: string | null;
  readonly image: string | null;
}

export function updateAvailable(workload: Workload, version: string, image: string): News {
  const from = workload.bookkeeping.currentVersion;
  const message = `Version ${version} is available${from === null ? "" : `, current is ${from}`}`;
  const about = { execution: null, version, image };
  return { event: "Update Available", type: "Normal", reason: "AutoUpdateAvailable", message, key: version, ...about };
}

export function updateStarted(image: string, execution: string, canary: CanarySize | null = null): News {
  const about = { key: execution, execution, version: versionOf(image), image };
  const how = canary === null ? "" : ` with a canary of ${canary.amount}${canary.unit === "percent" ? " %" : ""}`;
  const message = `Updating to ${image}${how} (execution ${execution})`;
  return { event: "Update Started", type: "Normal", reason: "AutoUpdateStarting", message, ...about };
}

export function restartStarted(image: string, execution: string): News {
  const message = `Restarting for what stands behind the tag now: ${image} (execution ${execution})`;
  return { ...updateStarted(image, execution), message };
}

export function canaryPromoted(image: string, execution: string): News {
  const about = { key: execution, execution, version: versionOf(image), image };
  const message = `The canary of ${image} was found good: all replicas follow (execution ${execution})`;
  return { event: "Canary Promoted", type: "Normal", reason: "AutoUpdateCanaryPromoted", message, ...about };
}

export function updateSucceeded(image: string, execution: string): News {
  const about = { key: execution, execution, version: versionOf(image), image };
  const message = `Updated to ${image} (execution ${execution})`;
  return { event: "Update Succeeded", type: "Normal", reason: "AutoUpdateComplete", message, ...about };
}

export function updateRolledBack(image: string, execution: string, reason: string, previous: string | null): News {
  const about = { key: execution, execution, version: versionOf(image), image };
  const back = previous === null ? "the default image" : previous;
  const message = `Rolled back from ${image} to ${back}: ${reason} (execution ${execution})`;
  return { event: "Update Rolled Back", type: "Warning", reason: "AutoUpdateRollback", message, ...about };
}

/** A restart changed no image, so what there is to go back to is a digest, where one is known and its owner wants that. */
export function restartFailed(image: string, execution: string, reason: string, isPinned: boolean): News {
  const outcome = isPinned ? "the digests that ran before were pinned" : "there is no image to go back to";
  const message = `The restart for ${image} failed: ${reason}; ${outcome} (execution ${execution})`;
  return { ...updateRolledBack(image, execution, reason, null), message };
}

export function circuitOpened(workload: Workload, image: string, execution: string): News {
  const count = workload.bookkeeping.rollbackCount;
  const about = { key: execution, execution, version: versionOf(image), image };
  const message = `Circuit opened after ${count} rollbacks: nothing newer is applied until it is reset`;
  return { event: "Circuit Opened", type: "Warning", reason: "AutoUpdateCircuitOpen", message, ...about };
}

/** Nothing is applied, and its owner should know why. `reason` is the Event's. */
export function updateHeld(reason: string, message: string, version: string | null): News {
  const about = { key: message, execution: null, version, image: null };
  return { event: "Update Held", type: "Warning", reason, message, ...about };
}
