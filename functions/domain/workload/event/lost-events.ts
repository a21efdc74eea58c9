import { withoutDigest } from "../../image/reference.ts";
import { secondsBetween } from "../../text/rfc3339.ts";
import { updateHeldEvent, updateStartedEvent, updateSucceededEvent } from "./events.ts";
import { hookEvent } from "../hook/hook-event.ts";
import { reappliedBy } from "../owner/reverts.ts";
import type { Target } from "../target/target.ts";
import type { InFlight } from "../update/in-flight.ts";
import type { HistoryEntry, UpdateRecord, Workload } from "../workload.ts";
import { recentSeconds } from "./recent.ts";
import type { UpdateEvent } from "./update-event.ts";
import { circuitOpenedEvent, updateFailedEvent, updateSupersededEvent, updateWithdrawnEvent } from "./revert-events.ts";

/**
 * Returns the Events of an update that ended recently, with the keys with which they were emitted: only those that are missing
 * are written. Empty if the record does not name the execution, as that of a Claw.
 */
export function recentEndEvents(workload: Workload, now: Date): readonly UpdateEvent[] {
  const { updateRecord } = workload;
  // Most histories need not be parsed.
  const last = updateRecord.lastUpdate === null ? undefined : updateRecord.versionHistory.at(-1);
  if (last?.finishedAt === undefined || last.image === undefined || last.execution === undefined) return [];
  if (!isRecent(last.finishedAt, now)) return [];
  const target = targetOfEntry(last, last.image);
  const ended = endEvent(workload, target, last.execution, last);
  const isOpened = mayOpenCircuit(last) && updateRecord.circuitOpen;
  return isOpened ? [ended, circuitOpenedEvent(workload, target, last.execution)] : [ended];
}

/** A failed rollback to a release is not counted, and opens the circuit only if it could not be reverted. */
export function mayOpenCircuit({ status, release }: HistoryEntry): boolean {
  return status === "RollbackFailed" || (release === undefined && status !== "Healthy");
}

/** Returns the target of an update that ended, as far as the history has it. */
export function targetOfEntry({ kind = "image", version, release }: HistoryEntry, image: string): Target {
  if (release !== undefined) return { kind: "release", image, number: release };
  if (kind === "restart") return { kind, image, request: "" };
  if (kind !== "digest" && kind !== "config") return { kind: "image", image };
  return { kind, image: withoutDigest(image), digest: version.slice(version.indexOf("@") + 1) };
}

function endEvent(
  workload: Workload,
  target: Target,
  execution: string,
  { status, reason = "" }: HistoryEntry,
): UpdateEvent {
  if (status === "Healthy") return updateSucceededEvent(target, execution, reason);
  if (status === "Withdrawn") return updateWithdrawnEvent(workload, target, execution, reason);
  if (status === "Superseded") return updateSupersededEvent(target, execution, reason);
  if (status === "HookFailed") return hookEvent(target, execution, "pre", { isSuccess: false, outcome: reason });
  return updateFailedEvent(target, execution, reason);
}

/** Returns the Event of an update in flight that `execution` started recently; empty if it did not, or if it has been reverted. */
export function recentStartEvents(
  updateRecord: Pick<UpdateRecord, "reverts">,
  { target, startedAt, phase, isApplied = true }: InFlight,
  execution: string,
  now: Date,
): readonly UpdateEvent[] {
  const isStarted = isApplied && phase !== "rollback";
  if (startedAt === "malformed" || !isStarted || !isRecent(startedAt, now)) return [];
  return [updateStartedEvent(target, execution, null, reappliedBy(updateRecord, { target, startedAt }))];
}

/** Gates whose hold has an Event, for which somebody has to act. */
const reportedGates: ReadonlySet<string> = new Set(["approval", "signature", "manual-change"]);

/** Returns the Event of a gate that has held the workload for a short time, with the key with which it was emitted. */
export function recentHeldEvents(workload: Workload, now: Date): readonly UpdateEvent[] {
  const { lastReported, gates = [], updateRecord } = workload;
  const { held } = lastReported;
  const isNew = gates.some(({ name, since }) => reportedGates.has(name) && since !== undefined && isRecent(since, now));
  return held !== null && isNew ? [updateHeldEvent("AutoUpdateHeld", held, updateRecord.candidateVersion)] : [];
}

function isRecent(time: Date, now: Date): boolean {
  return secondsBetween(time, now) < recentSeconds;
}
