import type { StateChange } from "../../infra/local/step-functions/execution.ts";

/** What one execution has cost so far. */
export interface Cost {
  /** As Step Functions bills them: each state that is entered, and each retry. */
  readonly transitions: number;
  /** Of its history, which holds 25,000. */
  readonly events: number;
  readonly steps: number;
  readonly drains: number;
}

const nothing: Cost = { transitions: 0, events: 0, steps: 0, drains: 0 };

/** Costs by execution. */
export type Tally = ReadonlyMap<string, Cost>;

/** With one more event of a history. */
export function tallied(tally: Tally, { execution, state, type }: StateChange): Tally {
  const before = tally.get(execution) ?? nothing;
  const isEntered = type.endsWith("StateEntered");
  // The first call of a Task is that of the state which was entered.
  const transitions = (isEntered ? 1 : 0) + (type === "TaskScheduled" ? 1 : 0) - (type === "TaskStateEntered" ? 1 : 0);
  const entered = (name: string) => (isEntered && state === name ? 1 : 0);
  return new Map(tally).set(execution, {
    transitions: before.transitions + transitions,
    events: before.events + 1,
    steps: before.steps + entered("StepNodes"),
    drains: before.drains + entered("DrainNodes"),
  });
}

export interface Total extends Cost {
  readonly executions: number;
  /** The events of the execution that has most of them. */
  readonly mostEvents: number;
}

export function totalOf(tally: Tally): Total {
  const costs = [...tally.values()];
  const sum = (of: keyof Cost) => costs.reduce((total, cost) => total + cost[of], 0);
  return {
    transitions: sum("transitions"),
    events: sum("events"),
    steps: sum("steps"),
    drains: sum("drains"),
    executions: costs.length,
    mostEvents: Math.max(0, ...costs.map(({ events }) => events)),
  };
}
