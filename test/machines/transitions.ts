import type { StateChange } from "../../infra/local/step-functions/execution.ts";
import { type LintedMachine, type LintedState, recordsIn } from "./lint/definition.ts";

export interface Path {
  /** In the order of entry. */
  readonly states: readonly string[];
  /** `A -> B`, or `A !> B` for a Catch. */
  readonly transitions: readonly string[];
}

/** Returns the path of an execution, from its state changes. */
export function pathOf(changes: readonly StateChange[]): Path {
  const states: string[] = [];
  const transitions: string[] = [];
  let arrow = "->";
  for (const { type, state } of changes) {
    if (/^Task(?:Failed|TimedOut)$/.test(type)) arrow = "!>";
    if (type === "TaskSucceeded") arrow = "->";
    if (!type.endsWith("StateEntered") || state === null) continue;
    if (states.length > 0) transitions.push(`${states.at(-1)} ${arrow} ${state}`);
    states.push(state);
    arrow = "->";
  }
  return { states, transitions };
}

/** Returns every transition of the definition. */
export function transitionsOf(machine: LintedMachine): readonly string[] {
  return Object.entries(machine.States).flatMap(([name, state]) => [
    ...nextOf(state).map((next) => `${name} -> ${next}`),
    ...recordsIn(state["Catch"]).map((catcher) => `${name} !> ${String(catcher["Next"])}`),
  ]);
}

function nextOf(state: LintedState): readonly string[] {
  const { Next: next, Default: otherwise } = state;
  return [next, ...recordsIn(state["Choices"]).map((rule) => rule["Next"]), otherwise].filter(
    (target) => typeof target === "string",
  );
}
