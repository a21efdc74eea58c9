import type { Definition, Retrier, State } from "./definition.ts";

/** setTimeout takes no more than 2^31-1 ms; beyond it fires at once. */
export const longestTimerSeconds = 2_147_483;

/**
 * Says in the interpreter's terms what the file says in AWS's:
 * - waits become Tasks, because the interpreter's own can neither be scaled nor follow another clock;
 * - delays of retries are multiplied by `waitScale`, and so is the machine's own timeout;
 * - a Task without a timeout gets none, where the interpreter would give it a minute;
 * - the start time comes from the runtime's clock, where the interpreter would read the machine's.
 */
export function translate(definition: Definition, waitScale: number): Definition {
  const { TimeoutSeconds, ...rest } = withOwnStartTime(definition);
  const states = Object.entries(rest.States).map(([name, state]) => [name, translateState(state, waitScale)] as const);
  const timeout = TimeoutSeconds === undefined ? {} : { TimeoutSeconds: scaleTimeout(TimeoutSeconds, waitScale) };
  return { ...rest, ...timeout, StartAt: definition.StartAt, States: Object.fromEntries(states) };
}

function withOwnStartTime(definition: Definition): Definition {
  const text = JSON.stringify(definition).replaceAll("$$.Execution.StartTime", () => "$$.Clock.StartTime");
  return JSON.parse(text) as Definition;
}

function translateState(state: State, waitScale: number): State {
  if (state.Type === "Wait") return waitAsTask(state);
  if (state.Type !== "Task") return state;
  const TimeoutSeconds = Math.min(state.TimeoutSeconds ?? Infinity, longestTimerSeconds);
  return { ...state, TimeoutSeconds, Retry: (state.Retry ?? []).map((retrier) => scaleRetrier(retrier, waitScale)) };
}

/** The Task is given `{input, seconds | timestamp}` and answers with the input. */
function waitAsTask({ Seconds, SecondsPath, Timestamp, TimestampPath, ...rest }: State): State {
  const due = {
    ...(Seconds !== undefined && { seconds: Seconds }),
    ...(SecondsPath !== undefined && { "seconds.$": SecondsPath }),
    ...(Timestamp !== undefined && { timestamp: Timestamp }),
    ...(TimestampPath !== undefined && { "timestamp.$": TimestampPath }),
  };
  const Parameters = { "input.$": "$", ...due };
  return { ...rest, Type: "Task", Resource: "local:wait", TimeoutSeconds: longestTimerSeconds, Parameters };
}

function scaleRetrier(retrier: Retrier, waitScale: number): Retrier {
  const { IntervalSeconds = 1, MaxDelaySeconds } = retrier;
  const most = MaxDelaySeconds === undefined ? {} : { MaxDelaySeconds: MaxDelaySeconds * waitScale };
  return { ...retrier, IntervalSeconds: IntervalSeconds * waitScale, ...most };
}

/** A scale of 0 is a clock without waits, on which no time runs out. */
function scaleTimeout(seconds: number, waitScale: number): number {
  return Math.min(waitScale === 0 ? Infinity : seconds * waitScale, longestTimerSeconds);
}
