import type { StateChange } from "../../infra/local/step-functions/execution.ts";

/** The input and output of each Task of a machine, from its contract. */
export type TasksOf<Tasks> = { readonly [Name in keyof Tasks]: { readonly input: unknown; readonly output: unknown } };

/** A result, or an Error to throw. */
type ScriptedResult<Output> = Output | Error | Promise<Output>;

/** A list with one result per call, whose last result also serves later calls; or a function of the input. `call` counts from 1. */
type ScriptedResults<Input, Output> =
  | readonly ScriptedResult<Output>[]
  | ((input: Input, call: number) => ScriptedResult<Output>);

export type Script<Tasks extends TasksOf<Tasks>> = {
  readonly [Name in keyof Tasks]?: ScriptedResults<Tasks[Name]["input"], Tasks[Name]["output"]>;
};

export type AnyScript = Readonly<Record<string, ScriptedResults<unknown, unknown>>>;

export type Payloads<Tasks extends TasksOf<Tasks>> = {
  readonly [Name in keyof Tasks]: readonly Tasks[Name]["input"][];
};

/** A script in use, with the recorded state changes and inputs of its execution. */
export interface ScriptRecorder {
  readonly changes: readonly StateChange[];
  readonly payloads: object;
  readonly ended: Promise<StateChange>;
  onStateChange(change: StateChange): void;
  /** Returns the scripted result of a call of the Task, or throws it if it is an Error. */
  invoke(task: string, payload: unknown): unknown;
}

export function createScriptRecorder(script: AnyScript): ScriptRecorder {
  const { promise: ended, resolve } = Promise.withResolvers<StateChange>();
  const changes: StateChange[] = [];
  const payloads: Record<string, unknown[]> = {};
  return {
    changes,
    payloads,
    ended,
    onStateChange(change) {
      changes.push(change);
      if (/^Execution(?!Started)/.test(change.type)) resolve(change);
    },
    invoke(task, payload) {
      const call = (payloads[task] ??= []).push(payload);
      const results = script[task] ?? [named("Unscripted", `the script has no result for ${task}`)];
      const result =
        typeof results === "function" ? results(payload, call) : results[Math.min(call, results.length) - 1];
      if (result instanceof Error) throw result;
      return result;
    },
  };
}

/** Creates an error as Lambda reports it to the machine. */
export function named(name: string, message = `${name} happened`): Error {
  return Object.assign(new Error(message), { name });
}
