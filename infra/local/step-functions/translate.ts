import type { Definition, Retrier, State } from "./definition.ts";

/** setTimeout supports at most 2^31-1 ms; with a longer delay it fires at once. */
export const maxTimerSeconds = 2_147_483;

/**
 * Translates a definition so that the interpreter behaves like AWS on the runtime's clock:
 * - Wait states become Tasks, because the interpreter's waits can neither be scaled nor use another clock;
 * - retry delays and the machine's timeout are multiplied by `waitScale`;
 * - a Task without a timeout gets the longest one; the interpreter's default is one minute;
 * - the start time is read from the runtime's clock, not from the system clock.
 */
export function translate(definition: Definition, waitScale: number): Definition {
  const { TimeoutSeconds, ...rest } = redirectStartTime(definition);
  const states = Object.entries(rest.States).map(([name, state]) => [name, translateState(state, waitScale)] as const);
  const timeout = TimeoutSeconds === undefined ? {} : { TimeoutSeconds: scaleTimeout(TimeoutSeconds, waitScale) };
  return { ...rest, ...timeout, StartAt: definition.StartAt, States: Object.fromEntries(states) };
}

function redirectStartTime(definition: Definition): Definition {
  const text = JSON.stringify(definition).replaceAll("$$.Execution.StartTime", () => "$$.Clock.StartTime");
  return JSON.parse(text) as Definition;
}

function translateState(state: State, waitScale: number): State {
  if (state.Type === "Wait") return waitAsTask(state);
  if (state.Type !== "Task") return state;
  const TimeoutSeconds = Math.min(state.TimeoutSeconds ?? Infinity, maxTimerSeconds);
  return { ...state, TimeoutSeconds, Retry: (state.Retry ?? []).map((retrier) => scaleRetrier(retrier, waitScale)) };
}

/** Returns a Task that receives `{input, seconds | timestamp}` and returns the input. */
function waitAsTask({ Seconds, SecondsPath, Timestamp, TimestampPath, ...rest }: State): State {
  const due = {
    ...(Seconds !== undefined && { seconds: Seconds }),
    ...(SecondsPath !== undefined && { "seconds.$": SecondsPath }),
    ...(Timestamp !== undefined && { timestamp: Timestamp }),
    ...(TimestampPath !== undefined && { "timestamp.$": TimestampPath }),
  };
  const Parameters = { "input.$": "$", ...due };
  return { ...rest, Type: "Task", Resource: "local:wait", TimeoutSeconds: maxTimerSeconds, Parameters };
}

function scaleRetrier(retrier: Retrier, waitScale: number): Retrier {
  const { IntervalSeconds = 1, MaxDelaySeconds } = retrier;
  const maxDelay = MaxDelaySeconds === undefined ? {} : { MaxDelaySeconds: MaxDelaySeconds * waitScale };
  return { ...retrier, IntervalSeconds: IntervalSeconds * waitScale, ...maxDelay };
}

/** Scales a timeout. On a scale of 0 no time passes, so no timeout expires. */
function scaleTimeout(seconds: number, waitScale: number): number {
  return Math.min(waitScale === 0 ? Infinity : seconds * waitScale, maxTimerSeconds);
}
