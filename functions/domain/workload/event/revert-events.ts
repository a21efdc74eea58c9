import { countNoun } from "../../text/count-noun.ts";
import { evidenceIn } from "../../health/evidence.ts";
import { abbreviateDigests } from "../../image/abbreviate-digests.ts";
import { isSameImage } from "../../image/reference.ts";
import { truncate } from "../../text/summarize-list.ts";
import { hasRollbackPins } from "../digest/record.ts";
import { isDigestRestored } from "../digest/written-digests.ts";
import { describeTarget } from "../target/describe-target.ts";
import { isSameTarget, type RestartTarget, type Target } from "../target/target.ts";
import { abortedReason } from "../update/decided-update.ts";
import type { Workload } from "../workload.ts";
import { aboutTarget, type UpdateEvent } from "./update-event.ts";

/** Reports an update that was reverted without a verdict on its version: the first of a series of attempts is a warning. */
export function updateWithdrawnEvent(
  { backOff }: Pick<Workload, "backOff">,
  target: Target,
  execution: string,
  reason: string,
): UpdateEvent {
  const isTriedAgain = target.kind !== "restart" && target.kind !== "release";
  const next = isTriedAgain ? ", which is tried again later" : "";
  const message = `Withdrew the ${describeTarget(target)}${next}: ${reason} (execution ${execution})`;
  const isRepeated = backOff !== null && isSameTarget(backOff.target, target) && backOff.attempts > 1;
  const type = isRepeated ? "Normal" : "Warning";
  const about = { ...aboutTarget(target, execution), evidence: evidenceIn(reason) };
  return { event: "Update Withdrawn", type, reason: "AutoUpdateWithdrawn", message, ...about };
}

/** Reports an update whose pods failed, and in whose place a newer version is applied. */
export function updateSupersededEvent(target: Target, execution: string, reason: string): UpdateEvent {
  const message = `The ${describeTarget(target)} was ${reason} (execution ${execution})`;
  const about = { ...aboutTarget(target, execution), evidence: evidenceIn(reason) };
  return { event: "Update Superseded", type: "Warning", reason: "AutoUpdateSuperseded", message, ...about };
}

/** Reports a failed update, or restart, whose outcome the workload does not show any more. */
export function updateFailedEvent(target: Target, execution: string, reason: string): UpdateEvent {
  return rolledBackEvent(target, execution, `The ${describeTarget(target)} failed: ${reason}`, reason);
}

/** Returns the event of a failed update, for the workload after its rollback. */
export function rollbackEvent(workload: Workload, target: Target, execution: string, reason: string): UpdateEvent {
  return rolledBackEvent(target, execution, describeRollback(workload, target, reason), reason);
}

function rolledBackEvent(target: Target, execution: string, outcome: string, reason: string): UpdateEvent {
  const message = `${outcome} (execution ${execution})`;
  const about = { ...aboutTarget(target, execution), evidence: evidenceIn(reason) };
  const requested = reason === abortedReason ? ({ requested: true } as const) : {};
  return {
    event: "Update Rolled Back",
    type: "Warning",
    reason: "AutoUpdateRollback",
    message,
    ...requested,
    ...about,
  };
}

function describeRollback(workload: Workload, target: Target, reason: string): string {
  if (target.kind === "image") return `${describeReverted(target.image, workload.image)}: ${reason}`;
  if (target.kind !== "release") return `The ${describeTarget(target)} failed: ${reason}; ${keptBy(workload, target)}`;
  const outcome = isRevertFailed(workload) ? "the pod template before it is not restored" : "is reverted";
  return `Release ${target.number} of ${target.image} failed, and ${outcome}: ${reason}`;
}

/** If no previous image is known, as after a push that a person annotated, a rollback restores none. */
function describeReverted(image: string, previous: string | null): string {
  if (previous !== null && isSameImage(image, previous))
    return `The update to ${image} failed, and stays because no previous image is known`;
  return `Rolled back from ${short(image)} to ${previous === null ? "the default image" : short(previous)}`;
}

/** In characters. Two images, a reason and an execution are less than the 1,024 bytes of an Event, and of what a chat shows. */
const maxImageLength = 130;

function short(image: string): string {
  return truncate(abbreviateDigests(image), maxImageLength);
}

/** A restart changed no image, so it can only restore a digest, if one is known and its owner allows it; never a configuration. */
function keptBy(workload: Workload, target: RestartTarget): string {
  if (target.kind === "config") return "the configuration stays";
  if (target.kind === "restart") return "the image stays";
  if (isDigestRestored(workload, target)) return "the previous digests were restored";
  return hasRollbackPins(workload, target)
    ? "the previous digests were pinned"
    : "there is no previous image to restore";
}

export function circuitOpenedEvent(workload: Workload, target: Target, execution: string): UpdateEvent {
  const cause = isRevertFailed(workload)
    ? "because a rollback could not be reverted"
    : `after ${countNoun(workload.updateRecord.rollbackCount, "failed attempt")}`;
  const message = `Circuit opened ${cause}: no newer version is applied until it is reset`;
  return {
    event: "Circuit Opened",
    type: "Warning",
    reason: "AutoUpdateCircuitOpen",
    message,
    ...aboutTarget(target, execution),
    evidence: evidenceIn(workload.updateRecord.versionHistory.at(-1)?.reason ?? ""),
  };
}

function isRevertFailed({ updateRecord: { versionHistory } }: Workload): boolean {
  return versionHistory.at(-1)?.status === "RollbackFailed";
}
