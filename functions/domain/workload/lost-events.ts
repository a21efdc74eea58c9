import { secondsBetween } from "../text/rfc3339.ts";
import {
  circuitOpenedEvent,
  releaseStartedEvent,
  restartStartedEvent,
  type UpdateEvent,
  updateFailedEvent,
  updateStartedEvent,
  updateSucceededEvent,
  updateWithdrawnEvent,
} from "./events.ts";
import { hookEvent } from "./hook/hook-event.ts";
import type { HistoryEntry, InFlight, Workload } from "./workload.ts";

/** Less than the cluster keeps an Event, which is one hour by default: one that was emitted exists, and is not written again. */
const maxAgeSeconds = 15 * 60;

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
  const ended = endEvent(workload, last.image, last.execution, last);
  const isOpened = mayOpenCircuit(last) && updateRecord.circuitOpen;
  return isOpened ? [ended, circuitOpenedEvent(workload, last.image, last.execution)] : [ended];
}

/** A failed rollback to a release is not counted, and opens the circuit only if it could not be reverted. */
export function mayOpenCircuit({ status, release }: HistoryEntry): boolean {
  return status === "RollbackFailed" || (release === undefined && (status === "RolledBack" || status === "HookFailed"));
}

function endEvent(
  workload: Workload,
  image: string,
  execution: string,
  { status, reason = "" }: HistoryEntry,
): UpdateEvent {
  if (status === "Healthy") return updateSucceededEvent(image, execution, reason);
  if (status === "Withdrawn") return updateWithdrawnEvent(workload, image, execution, reason);
  if (status === "HookFailed") return hookEvent(image, execution, "pre", { isSuccess: false, outcome: reason });
  return updateFailedEvent(image, execution, reason);
}

const startEvents = {
  canary: updateStartedEvent,
  rollout: updateStartedEvent,
  restart: restartStartedEvent,
  release: releaseStartedEvent,
} as const;

/** Returns the Event of an update in flight that `execution` started recently; empty if it did not, or if it has been reverted. */
export function recentStartEvents(
  { targetImage, startedAt, phase, isApplied = true }: InFlight,
  execution: string,
  now: Date,
): readonly UpdateEvent[] {
  const isStarted = isApplied && phase !== "rollback";
  if (startedAt === "malformed" || !isStarted || !isRecent(startedAt, now)) return [];
  return [startEvents[phase](targetImage, execution)];
}

function isRecent(time: Date, now: Date): boolean {
  return secondsBetween(time, now) < maxAgeSeconds;
}
