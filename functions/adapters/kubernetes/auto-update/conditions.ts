import { impliedState, recordedState } from "../../../domain/state/recorded-state.ts";
import { parseState, type StateName, type WorkloadState } from "../../../domain/state/state.ts";
import type { Change } from "../../../domain/workload/update/change.ts";
import { type ObjectCondition, setConditions } from "../conditions.ts";
import { fromBackOffStatus } from "./status/back-off-status.ts";
import { fromCanaryStatus } from "./status/canary-status.ts";
import { readUpdateRecord } from "./status/status.ts";
import type { AutoUpdateStatus } from "./status/status-fields.ts";
import { readUpdate } from "./status/update-status.ts";

/** The reason of `Stalled` for a configuration that its owner has to fix. Its message is the problem that was last reported. */
const invalidConfiguration = "InvalidConfiguration";

/** Returns the problem that was last reported; null if there was none. */
export function reportedProblem({ conditions = [] }: AutoUpdateStatus): string | null {
  const found = conditions.find(({ type, reason }) => type === "Stalled" && reason === invalidConfiguration);
  return found?.message ?? null;
}

/** Reads the state that was written last; undefined if none was. */
export function readState({ state, reason, message = "" }: AutoUpdateStatus): WorkloadState | undefined {
  return parseState(state, reason, message);
}

/** Returns the state and the conditions of a status after a change. */
export function assessStatus(
  before: AutoUpdateStatus,
  after: AutoUpdateStatus,
  { lastReported, evaluated }: Change,
  generation: number,
  now: Date,
): Pick<AutoUpdateStatus, "state" | "reason" | "message" | "conditions"> {
  const problem = lastReported?.problem === undefined ? reportedProblem(before) : lastReported.problem;
  const isJustEnded = after.update === undefined && isRecorded(before.update, after);
  const inFlight = readUpdate(after.update);
  const facts = {
    inFlight,
    backOff: fromBackOffStatus(after.backOff),
    canaryProgress: fromCanaryStatus(after.canary),
    updateRecord: readUpdateRecord(after),
    running: after.running?.version ?? null,
    lastReported: { held: after.holdReason ?? null, problem },
  };
  const last = isJustEnded ? impliedState(facts) : readState(before);
  const state = recordedState({ ...facts, ...(last === undefined ? {} : { evaluated: last }) }, now, evaluated);
  const autoscaler = inFlight === null ? undefined : after.update?.autoscaler;
  const note =
    autoscaler === undefined ? "" : `; HorizontalPodAutoscaler ${autoscaler} averages over the pods of the canary too`;
  const message = `${problem ?? state.message}${note}`;
  return { ...state, conditions: conditionsOf(after, { ...state, message }, generation, now) };
}

/** Reports whether the history says how an update ended. It does not if a person has replaced it. */
function isRecorded(update: AutoUpdateStatus["update"], { history = [] }: AutoUpdateStatus): boolean {
  const last = history.at(-1);
  return update !== undefined && last?.execution === update.execution && last.startedAt === update.startedAt;
}

/** The condition beside `Ready`, as kstatus reads it, of the states that are not ready. */
const types: Partial<Record<StateName, "Reconciling" | "Stalled">> = {
  Updating: "Reconciling",
  RollingBack: "Reconciling",
  Waiting: "Reconciling",
  CircuitOpen: "Stalled",
  Stalled: "Stalled",
};

/**
 * Returns the conditions as kstatus reads them: `Ready` always, `Reconciling` and `Stalled` only while they are True.
 * https://github.com/kubernetes-sigs/cli-utils/blob/master/pkg/kstatus/README.md
 */
function conditionsOf(
  status: AutoUpdateStatus,
  { state, reason, message }: WorkloadState,
  generation: number,
  now: Date,
): readonly ObjectCondition[] {
  const type = types[state];
  // GitOps tools tell by it what a person keeps from what is simply up to date.
  const found = { reason: state === "Held" && reason === "ManualChange" ? "Held" : reason, message };
  const conditions = [
    { type: "Ready", status: type === undefined ? "True" : "False", ...found } as const,
    ...(type === undefined ? [] : [{ type, status: "True", ...found } as const]),
  ];
  const kept = (status.conditions ?? []).filter((one) => conditions.some((condition) => condition.type === one.type));
  return setConditions(kept, conditions, generation, now).toSorted((one, other) => one.type.localeCompare(other.type));
}
