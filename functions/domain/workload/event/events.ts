import { tagOf, versionOf } from "../../image/reference.ts";
import { formatRfc3339 } from "../../text/rfc3339.ts";
import { describeBackOff, isStalled } from "../update/back-off.ts";
import type { CanarySize } from "../canary/canary-size.ts";
import type { CanaryProgress } from "../canary/canary-step.ts";
import { describeStep } from "../canary/progress.ts";
import { describeAction } from "../target/describe-target.ts";
import { type Target, targetKey, versionOfTarget } from "../target/target.ts";
import { describeCoexistence, type OwnedImage } from "../owner/coexistence.ts";
import { describeOwner } from "../owner/image-owner.ts";
import type { Reapplied } from "../owner/set-back.ts";
import type { InFlight } from "../update/in-flight.ts";
import type { BackOff, Workload } from "../workload.ts";
import { aboutTarget, type UpdateEvent } from "./update-event.ts";

export function updateAvailableEvent(workload: Workload, target: Target): UpdateEvent {
  const message = describeAvailable(workload, target);
  // One for each request and configuration too.
  const key = versionOf(targetKey(target));
  return {
    event: "Update Available",
    type: "Normal",
    reason: "AutoUpdateAvailable",
    message,
    ...aboutTarget(target, null),
    key,
  };
}

function describeAvailable({ updateRecord: { currentVersion } }: Workload, target: Target): string {
  if (target.kind === "config") return `The configuration of ${target.image} has changed`;
  if (target.kind === "restart") return `A restart of ${target.image} is requested`;
  return `Version ${versionOfTarget(target)} is available${currentVersion === null ? "" : `, current is ${currentVersion}`}`;
}

/** `reapplied` is the entry of an update that applies a version again. */
export function updateStartedEvent(
  target: Target,
  execution: string,
  canary: CanarySize | null = null,
  reapplied: Reapplied | null = null,
): UpdateEvent {
  const strategy = canary === null ? "" : ` with a canary of ${canary.amount}${canary.unit === "percent" ? " %" : ""}`;
  const cause = reapplied === null ? "" : `, because ${describeSetBack(reapplied)}; set back again, it stays`;
  const message = `${describeAction(target, "present")}${strategy}${cause} (execution ${execution})`;
  return {
    event: "Update Started",
    type: reapplied === null ? "Normal" : "Warning",
    reason: reapplied === null ? "AutoUpdateStarting" : "AutoUpdateReapplied",
    message,
    ...aboutTarget(target, execution),
  };
}

function describeSetBack({ image, owner }: Reapplied): string {
  return owner === undefined ? `${tagOf(image)} was set back` : `${owner} has set back ${tagOf(image)}`;
}

/** Names who sets the image of a workload too, at its opt-in, and the setting with which both coexist. */
export function ownerEvent(workload: Workload, owned: OwnedImage) {
  const message = describeCoexistence(workload, owned);
  return { type: "Normal", reason: "AutoUpdateOwner", message, key: describeOwner(owned.owner) } as const;
}

/** Reports a pause of a canary: one that waits for a person is withdrawn at its end, any other continues. */
export function canaryPausedEvent({ target, execution, startedAt }: InFlight, progress: CanaryProgress): UpdateEvent {
  const { step, waitsFor, until, since } = progress;
  const { image } = target;
  const at = ` at ${formatRfc3339(until ?? since)}`;
  const outcome = waitsFor === "Time" ? `it continues${at}` : `run "pawl promote" to continue; it is withdrawn${at}`;
  const message = `The canary of ${image} is paused at step ${describeStep(progress)}: ${outcome} (execution ${execution})`;
  // Another execution that adopts the update announces the same pause.
  const key = `${startedAt === "malformed" ? startedAt : formatRfc3339(startedAt)} ${image} ${step}`;
  return {
    event: "Canary Paused",
    type: "Normal",
    reason: "AutoUpdateCanaryPaused",
    message,
    ...aboutTarget(target, execution),
    key,
  };
}

export function canaryPromotedEvent(target: Target, execution: string): UpdateEvent {
  const message = `The canary of ${target.image} passed: updating all replicas (execution ${execution})`;
  return {
    event: "Canary Promoted",
    type: "Normal",
    reason: "AutoUpdateCanaryPromoted",
    message,
    ...aboutTarget(target, execution),
  };
}

/** `reason` says what was not known of the update; empty if nothing. */
export function updateSucceededEvent(target: Target, execution: string, reason = ""): UpdateEvent {
  const unknown = reason === "" ? "" : `, without a verdict: ${reason}`;
  const message = `${describeAction(target, "past")}${unknown} (execution ${execution})`;
  return {
    event: "Update Succeeded",
    type: "Normal",
    reason: "AutoUpdateComplete",
    message,
    ...(target.kind === "release" ? { requested: true } : {}),
    ...aboutTarget(target, execution),
  };
}

/** Reports the first of a series of attempts that were not observed, and that the series ends; null for the others. */
export function backOffEvent(backOff: BackOff): UpdateEvent | null {
  const { attempts, until, target } = backOff;
  const message = describeBackOff(backOff);
  const held = updateHeldEvent("AutoUpdateBackOff", message, versionOfTarget(target));
  return attempts === 1 || isStalled(backOff) ? { ...held, key: `${targetKey(target)} ${formatRfc3339(until)}` } : null;
}

/** Returns the event that the records of a workload start again; null if they do not. */
export function recordsResetEvent({ ref, record, source }: Workload): UpdateEvent | null {
  if (record.foreign === undefined) return null;
  const message = `versions, failures, holds and releases are recorded again: those before were of ${record.foreign}`;
  return { ...updateHeldEvent("AutoUpdateRecordsReset", message, null), key: `${ref.uid} ${source}` };
}

/** Reports why nothing is applied. `reason` is the Event's. */
export function updateHeldEvent(reason: string, message: string, version: string | null): UpdateEvent {
  const about = { key: message, execution: null, version, image: null };
  return { event: "Update Held", type: "Warning", reason, message, ...about };
}
