import type { StateChange } from "../../infra/local/step-functions/execution.ts";

/** What a machine's contract says of each of its Tasks. */
export type TasksOf<Tasks> = { readonly [Name in keyof Tasks]: { readonly input: unknown; readonly output: unknown } };

/** An Error is thrown. */
type Answer<Output> = Output | Error | Promise<Output>;

/** What a Task answers: call by call, where the last answer stands for all that come later; or by what it is given. `call` counts from 1. */
type Answers<Input, Output> = readonly Answer<Output>[] | ((input: Input, call: number) => Answer<Output>);

export type Script<Tasks extends TasksOf<Tasks>> = {
  readonly [Name in keyof Tasks]?: Answers<Tasks[Name]["input"], Tasks[Name]["output"]>;
};

export type AnyScript = Readonly<Record<string, Answers<unknown, unknown>>>;

export type Payloads<Tasks extends TasksOf<Tasks>> = {
  readonly [Name in keyof Tasks]: readonly Tasks[Name]["input"][];
};

/** A script while it is played, and what was heard of the execution meanwhile. */
export interface Scripted {
  readonly changes: readonly StateChange[];
  readonly payloads: object;
  readonly ended: Promise<StateChange>;
  hear(change: StateChange): void;
  answer(task: string, payload: unknown): unknown;
}

export function scriptOf(script: AnyScript): Scripted {
  const { promise: ended, resolve } = Promise.withResolvers<StateChange>();
  const changes: StateChange[] = [];
  const payloads: Record<string, unknown[]> = {};
  return {
    changes,
    payloads,
    ended,
    hear(change) {
      changes.push(change);
      if (/^Execution(?!Started)/.test(change.type)) resolve(change);
    },
    answer(task, payload) {
      const call = (payloads[task] ??= []).push(payload);
      const answers = script[task] ?? [named("Unscripted", `nobody wrote what ${task} answers`)];
      const answer =
        typeof answers === "function" ? answers(payload, call) : answers[Math.min(call, answers.length) - 1];
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
}

/** An error as Lambda tells the machine of it. */
export function named(name: string, message = `${name} happened`): Error {
  return Object.assign(new Error(message), { name });
}
