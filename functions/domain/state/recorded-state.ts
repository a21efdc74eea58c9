import { truncate } from "../text/summarize-list.ts";
import { describeBackOff, isExceededForLong, isStalled } from "../workload/update/back-off.ts";
import type { BackOff, HistoryEntry, HistoryStatus, UpdateRecord, Workload } from "../workload/workload.ts";
import { createState, type StateName, type WorkloadState } from "./state.ts";
import { updateState } from "./update-state.ts";

/** What a workload's record says. `evaluated` is the state of the last evaluation; absent if the kind has no place for it. */
export interface StateFacts extends Pick<
  Workload,
  "inFlight" | "backOff" | "canaryProgress" | "updateRecord" | "lastReported" | "evaluated"
> {
  /** The version that was observed; absent if the kind has no place for it. */
  readonly running?: string | null;
}

/** In characters. A condition has the whole text. */
const maxMessageLength = 1024;

/**
 * Returns the state of a workload as its record says it, with what an evaluation has just found, if there was one. A problem counts
 * most, then an update in flight, then the circuit.
 */
export function recordedState(facts: StateFacts, now: Date, found?: WorkloadState | null): WorkloadState {
  const { state, reason, message } = stateOf({ ...facts, evaluated: found ?? lastEvaluation(facts) }, now);
  return { state, reason, message: truncate(message, maxMessageLength) };
}

/** Returns what the last evaluation found, if that still counts once nothing else does. */
export function lastEvaluation({ evaluated }: Pick<Workload, "evaluated">): WorkloadState | undefined {
  return evaluated !== undefined && lasting.has(evaluated.state) ? evaluated : undefined;
}

const lasting: ReadonlySet<StateName> = new Set(["UpToDate", "Behind", "Held", "NotEvaluated"]);

type Found = Omit<StateFacts, "evaluated"> & { readonly evaluated: WorkloadState | undefined };

function stateOf(facts: Found, now: Date): WorkloadState {
  const { inFlight, backOff, updateRecord, lastReported, evaluated } = facts;
  if (lastReported.problem !== null) return createState(["Stalled", "InvalidConfiguration"], lastReported.problem);
  if (backOff !== null && isStalled(backOff)) return createState(["Stalled", "UpdateFailed"], describeBackOff(backOff));
  const waiting = backOff && backOffState(backOff);
  if (waiting?.reason === "Quarantined" && backOff !== null && backOff.until > now) return waiting;
  if (inFlight !== null) return updateState({ ...facts, inFlight });
  if (updateRecord.circuitOpen)
    return createState(["CircuitOpen", "CircuitOpen"], `${openedBy(updateRecord)}; run "pawl reset" to try again`);
  // What is suspended is not tried again by itself.
  if (waiting !== null && evaluated?.reason !== "Suspended") return waiting;
  return evaluated ?? awaitsPoll;
}

function backOffState(backOff: BackOff): WorkloadState {
  const { reason } = backOff;
  const message = describeBackOff(backOff);
  if (reason !== "BudgetExceeded") return createState(["Waiting", reason], message);
  return createState([isExceededForLong(backOff) ? "Stalled" : "NotEvaluated", reason], message);
}

function openedBy({ versionHistory, rollbackCount }: UpdateRecord): string {
  const last = versionHistory.at(-1);
  if (last?.status !== "RollbackFailed")
    return `${rollbackCount === 1 ? "1 failed attempt" : `${rollbackCount} failed attempts in a row`} opened the circuit`;
  return `the rollback to release ${last.release} failed, and was not reverted: ${last.reason}; correct the pod template`;
}

const ends = {
  Healthy: "is healthy",
  RolledBack: "was rolled back",
  Withdrawn: "was withdrawn",
  HookFailed: "was not applied, because its hook failed",
  RollbackFailed: "could not be rolled back",
  Superseded: "was superseded",
} as const satisfies Record<HistoryStatus, string>;

/** Returns the state that the record alone implies: an update has just ended, or the kind has no place for an evaluation. */
export function impliedState({ updateRecord: record, lastReported: { held }, running }: ImpliedBy): WorkloadState {
  const { currentVersion, candidateVersion, failedVersions, lastCheck, versionHistory } = record;
  const last = versionHistory.at(-1);
  if (held !== null) return createState(["Held", "Held"], held);
  if (last !== undefined && last.status !== "Healthy" && isOfNewest(last, record))
    return createState(
      ["Behind", last.status === "RolledBack" ? "NewerVersionFailed" : "UpdateEnded"],
      describeEnd(last),
    );
  const isNewest = candidateVersion === null || candidateVersion === currentVersion;
  if (isNewest && last?.status === "Healthy") return createState(["UpToDate", "Updated"], describeEnd(last));
  if (isNewest && lastCheck !== null)
    return createState(["UpToDate", "NewestVersion"], `runs ${running ?? currentVersion ?? "the newest version"}`);
  if (isNewest) return notPolled;
  const reason = failedVersions.includes(candidateVersion) ? "NewerVersionFailed" : "UpdateDue";
  return createState(["Behind", reason], `${candidateVersion} is not applied; the next poll decides`);
}

/** Reports whether an attempt that failed was for the newest version that is known. */
function isOfNewest({ version }: HistoryEntry, { candidateVersion, currentVersion }: UpdateRecord): boolean {
  return version !== currentVersion && (candidateVersion === null || candidateVersion === version);
}

function describeEnd({ version, status, reason }: HistoryEntry): string {
  return `${version} ${ends[status]}${reason === undefined ? "" : `: ${reason}`}`;
}

type ImpliedBy = Pick<StateFacts, "updateRecord" | "lastReported" | "running">;

const awaitsPoll = createState(["NotEvaluated", "AwaitsPoll"], "the next poll evaluates it");

export const notPolled = createState(["NotEvaluated", "NotPolled"], "no poll has evaluated it yet");
