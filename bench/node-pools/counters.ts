import type { StateChange } from "../../infra/local/step-functions/execution.ts";

/** Counts of one execution. */
export interface ExecutionCost {
  /** As Step Functions bills them: each entered state, and each retry. */
  readonly transitions: number;
  /** Events in its history; the limit is 25,000. */
  readonly events: number;
  /** How often `ReconcileNodes` was entered. */
  readonly reconciles: number;
  /** How often `DrainNodes` was entered. */
  readonly drains: number;
}

const noCost: ExecutionCost = { transitions: 0, events: 0, reconciles: 0, drains: 0 };

/** Cost by the name of the execution. */
export type CostByExecution = ReadonlyMap<string, ExecutionCost>;

/** Returns the costs with one more history event. */
export function countHistoryEvent(costs: CostByExecution, { execution, state, type }: StateChange): CostByExecution {
  const before = costs.get(execution) ?? noCost;
  const isEntered = type.endsWith("StateEntered");
  // Entering a Task state schedules its first call, which is no transition of its own.
  const transitions = (isEntered ? 1 : 0) + (type === "TaskScheduled" ? 1 : 0) - (type === "TaskStateEntered" ? 1 : 0);
  const countEntry = (name: string) => (isEntered && state === name ? 1 : 0);
  return new Map(costs).set(execution, {
    transitions: before.transitions + transitions,
    events: before.events + 1,
    reconciles: before.reconciles + countEntry("ReconcileNodes"),
    drains: before.drains + countEntry("DrainNodes"),
  });
}

export interface TotalCost extends ExecutionCost {
  readonly executions: number;
  /** Events of the execution with the most events. */
  readonly maxEvents: number;
}

export function sumCosts(costByExecution: CostByExecution): TotalCost {
  const costs = [...costByExecution.values()];
  const sum = (field: keyof ExecutionCost) => costs.reduce((total, cost) => total + cost[field], 0);
  return {
    transitions: sum("transitions"),
    events: sum("events"),
    reconciles: sum("reconciles"),
    drains: sum("drains"),
    executions: costs.length,
    maxEvents: Math.max(0, ...costs.map(({ events }) => events)),
  };
}
