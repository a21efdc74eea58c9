import type { ExecutionFailure, ExecutionState, Executions } from "../../../functions/ports/executions.ts";
import { noon } from "../workloads.ts";
import { type AtMoment, guarded } from "../fake-cluster.ts";

export interface StartedExecution<Input> {
  readonly name: string;
  readonly input: Input;
}

export interface FakeExecutions<Input> extends Executions<Input> {
  /** Every started execution, each once. */
  readonly started: readonly StartedExecution<Input>[];
  running(): readonly StartedExecution<Input>[];
  finish(name: string): void;
  /** Ends an execution in a Fail state. */
  fail(name: string, failure: ExecutionFailure): void;
  /** Stops an execution, as the console does. */
  abort(name: string): void;
}

/** Returns executions that run until a test ends them. */
export function fakeExecutions<Input>(
  atMoment: AtMoment = () => {},
  now: () => Date = () => noon,
): FakeExecutions<Input> {
  const started: StartedExecution<Input>[] = [];
  const states = new Map<string, ExecutionState>();
  const startedAt = new Map<string, Date>();
  const failures = new Map<string, ExecutionFailure>();
  const running = () => started.filter(({ name }) => states.get(name) === "running");
  return {
    started,
    running,
    finish: (name) => void states.set(name, "ended"),
    fail(name, failure) {
      states.set(name, "ended");
      failures.set(name, failure);
    },
    abort: (name) => void states.set(name, "aborted"),
    start: (name, input) =>
      guarded(atMoment, "start", () => {
        if (["ended", "aborted"].includes(states.get(name) ?? "")) return "ended";
        if (!states.has(name)) started.push({ name, input });
        startedAt.set(name, startedAt.get(name) ?? now());
        states.set(name, "running");
        return "started";
      }),
    listRunning: () =>
      guarded(atMoment, "listRunning", () => new Map(running().map(({ name }) => [name, startedAt.get(name) ?? noon]))),
    state: (name) => guarded(atMoment, "state", () => states.get(name) ?? "unknown"),
    failure: (name) => guarded(atMoment, "state", () => failures.get(name) ?? null),
  };
}
