import type { ClosedGate } from "../../gates/closed-gate.ts";
import { gatesOfHold, isHeldByGate, isSameGates } from "../../gates/gates.ts";
import { decidedState, heldState } from "../../state/decided-state.ts";
import { recordedState } from "../../state/recorded-state.ts";
import { isSameState } from "../../state/state.ts";
import { truncate } from "../../text/summarize-list.ts";
import { backOffChange, withResumedBackOff } from "../update/back-off.ts";
import { recentAuditEvents } from "../audit/audit.ts";
import { addApprovals } from "../audit/audit-approvals.ts";
import type { Change } from "../update/change.ts";
import { type Decision, type Hold, isUpToDate } from "../decision/decision.ts";
import { type CheckRecord, ensureRecord } from "./ensure-record.ts";
import { recordsResetEvent, updateAvailableEvent, updateHeldEvent } from "../event/events.ts";
import { recentEndEvents, recentHeldEvents } from "../event/lost-events.ts";
import { hasOwnClaim } from "./current-version.ts";
import { beginsToChangeOften, describeOftenChanged } from "../config/last-change.ts";
import { isNewlyAvailable, maxReportLength, newestFound, recordHold } from "./record-hold.ts";
import { recordedWait } from "../../gates/limits/start-facts.ts";
import { observedRelease } from "../release/mint-release.ts";
import { formatRefusal } from "../request/person-request.ts";
import { answerRequest } from "../request/request.ts";
import { isOfEvaluation } from "../update/back-off-reason.ts";
import type { Workload } from "../workload.ts";
import type { UpdateEvent } from "../event/update-event.ts";
import { describeProblems } from "../policy/problem.ts";

interface PlannedRecord extends CheckRecord {
  /** Emitted before: only those that were lost are written, and none is sent to the bus again. */
  readonly recentEvents: readonly UpdateEvent[];
}

type CheckDecision = Exclude<Decision, { readonly kind: "adopt" }>;

/**
 * Plans the record of a hold or a problem. The last report is stored on the object, so it is neither written nor
 * emitted again.
 */
export function recordCheck(
  workload: Workload,
  decision: Hold | Extract<Decision, { kind: "problem" }>,
  now: Date,
): CheckRecord {
  if (decision.kind === "problem") return recordProblem(workload, decision, now);
  return recordHold(workload, decision, now);
}

function recordProblem(
  workload: Workload,
  { problems, held }: Extract<Decision, { readonly kind: "problem" }>,
  now: Date,
): CheckRecord {
  const problem = truncate(describeProblems(problems), maxReportLength);
  const isReported = workload.lastReported.problem === problem;
  const unreported = { ...workload, lastReported: { ...workload.lastReported, problem: null } };
  const { change, events } = held === undefined ? { change: null, events: [] } : recordHold(unreported, held, now);
  if (isReported) return { change, events };
  return {
    change: { ...change, lastReported: { ...change?.lastReported, problem } },
    events: [...events, updateHeldEvent("AutoUpdateProblem", problem, null)],
  };
}

/**
 * Plans the changes and events of a decision. An update only emits its event, once, and records the baseline of a configuration: the
 * step that applies it writes the rest.
 */
export function planCheckRecord(workload: Workload, decision: CheckDecision, now: Date): PlannedRecord {
  const recent = [recentEndEvents, recentAuditEvents, recentHeldEvents];
  const recentEvents = recent.flatMap((eventsOf) => eventsOf(workload, now));
  return { ...planNewRecord(workload, decision, now), recentEvents };
}

function planNewRecord(listed: Workload, decision: CheckDecision, now: Date): CheckRecord {
  if (decision.kind === "request")
    return { change: addApprovals(listed, answerDecided(listed, decision), now), events: [] };
  // A failed evaluation that is repeated continues, and keeps what it suspends.
  const isRepeated = decision.kind === "hold" && isOfEvaluation(decision.ended?.reason);
  const workload = isRepeated ? listed : withResumedBackOff(listed, now);
  const { change, events } =
    decision.kind === "update" ? announceUpdate(workload, decision) : recordCheck(workload, decision, now);
  const resumed = resumeBackOff(listed, workload, change);
  const release = observedRelease(workload, now);
  const recorded = release === null ? resumed : { ...resumed, release };
  const evaluated = addEvaluation(workload, decision, recorded, now);
  const began = recordsResetEvent(workload);
  const often = changesOftenEvent(workload, decision);
  return ensureRecord(workload, {
    change: addApprovals(
      workload,
      addCandidates(workload, decision, addGates(workload, decision, evaluated, now)),
      now,
    ),
    events: [began, often, ...events].filter((event) => event !== null),
  });
}

/** Returns the Event that the configuration changes often, once when that begins. */
function changesOftenEvent({ config }: Workload, decision: CheckDecision): UpdateEvent | null {
  const held = decision.kind === "problem" ? decision.held : decision;
  const change = held !== undefined && "config" in held ? held.config?.lastChange : undefined;
  const isNew = change !== undefined && change.count !== config?.lastChange?.count;
  if (!isNew || !beginsToChangeOften(change)) return null;
  return updateHeldEvent("AutoUpdateConfigChangesOften", describeOftenChanged(change), null);
}

function answerDecided(workload: Workload, request: Extract<Decision, { readonly kind: "request" }>): Change {
  const { refusal, token, verb } = request;
  if (refusal === undefined) return answerRequest(workload, request);
  return { answer: { token, verb, result: formatRefusal(refusal) } };
}

/**
 * Adds what the decision found, if the state to write differs by it. A problem is recorded anyway. An update that is due is no reason to
 * write: its claim follows.
 */
function addEvaluation(workload: Workload, decision: CheckDecision, change: Change | null, now: Date): Change | null {
  const { evaluated, record, inFlight } = workload;
  const isWritten = change !== null || record.state !== "observed";
  if (decision.kind === "update" && isWritten && !hasOwnClaim(record))
    return { ...change, evaluated: decidedState(workload, decision, now) };
  const isEnded = inFlight === null || change?.inFlight === null;
  if (decision.kind !== "hold" || hasOwnClaim(record) || !isEnded) return change;
  const found = heldState(workload, decision);
  const isSame = evaluated !== undefined && isSameState(evaluated, recordedState(workload, now, found));
  return found === null || (isSame && change === null) ? change : { ...change, evaluated: found };
}

/** Adds that the back-off before a quarantine continues, unless it changes too. */
function resumeBackOff(listed: Workload, { backOff }: Workload, change: Change | null): Change | null {
  if (backOff === null || backOff === listed.backOff) return change;
  const resumed = backOffChange(backOff);
  return { ...resumed, ...change, lastReported: { ...resumed.lastReported, ...change?.lastReported } };
}

/** Adds the gates that are closed, if others were recorded. Those of a workload that runs what it should keep nothing from it. */
function addGates(workload: Workload, decision: CheckDecision, change: Change | null, now: Date): Change | null {
  const { record, gates: recorded = [], inFlight, queuedSince = null } = workload;
  // The step evaluates the schedule again, which may be open only because a gate was closed. Its claim clears them.
  if (hasOwnClaim(record) || inFlight !== null || decision.kind === "update") return change;
  const isHeld =
    decision.kind === "hold" && isHeldByGate(decision) && heldState(workload, decision)?.state !== "UpToDate";
  const gates = isHeld ? withSince(gatesOfHold(workload, decision, now), recorded, now) : [];
  // Its turn is not lost because a window closes, for example.
  const turn = isHeld ? (recordedWait({ gates })?.since ?? queuedSince) : null;
  const changed = {
    ...(isSameGates(gates, recorded) ? {} : { gates }),
    ...(turn?.getTime() === queuedSince?.getTime() ? {} : { queuedSince: turn }),
  };
  return Object.keys(changed).length === 0 ? change : { ...change, ...changed };
}

/** Adds since when each gate is closed: as recorded, or from now on. */
function withSince(gates: readonly ClosedGate[], recorded: readonly ClosedGate[], now: Date): readonly ClosedGate[] {
  return gates.map((gate) => ({
    ...gate,
    since: gate.since ?? recorded.find(({ name }) => name === gate.name)?.since ?? now,
  }));
}

/** Adds the versions that a gate judged, if others were recorded. None is kept of a workload that runs what it should. */
function addCandidates(
  { candidates: recorded = [] }: Workload,
  decision: CheckDecision,
  change: Change | null,
): Change | null {
  const isSettled = decision.kind === "hold" && isUpToDate(decision);
  const judged = decision.kind === "hold" || decision.kind === "update" ? decision.candidates : undefined;
  const candidates = judged ?? (isSettled ? [] : recorded);
  return JSON.stringify(candidates) === JSON.stringify(recorded) ? change : { ...change, candidates };
}

/** The step that applies the update writes the rest of its record. A release that a person asked for is known. */
function announceUpdate(
  workload: Workload,
  { target, config, available }: Extract<Decision, { readonly kind: "update" }>,
): CheckRecord {
  const isKnown = target.kind === "release" || !isNewlyAvailable(workload, target);
  const updateRecord = newestFound(workload, available);
  const change = {
    ...(config === undefined ? {} : { config }),
    ...(Object.keys(updateRecord).length === 0 ? {} : { updateRecord }),
  };
  return {
    change: Object.keys(change).length === 0 ? null : change,
    events: isKnown ? [] : [updateAvailableEvent(workload, target)],
  };
}

/** Reports whether nothing is new, so that a check that cannot be recorded has not failed. */
export function isNothingNew({ change, events }: CheckRecord): boolean {
  return change === null && events.length === 0;
}

/** Reports whether there is nothing to write and nothing to emit. */
export function isEmpty(planned: PlannedRecord): boolean {
  return isNothingNew(planned) && planned.recentEvents.length === 0;
}
