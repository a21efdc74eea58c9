import { randomUUID } from "node:crypto";
import { AwsError } from "../aws-json/aws-error.ts";
import { executionArn } from "./arns.ts";
import type { Execution, StateChange } from "./execution.ts";
import type { HistoryEventDraft } from "./history-events.ts";
import type { Machine } from "./machine.ts";
import { runExecution } from "./run-execution.ts";
import type { WaitClock } from "./wait.ts";

/** All running executions, and the newest ended ones. */
export interface ExecutionStore {
  /**
   * Starts an execution, or returns the running one of the same name and input.
   * Throws ExecutionAlreadyExists if the name is in use otherwise.
   */
  start(machine: Machine, name: string | undefined, input: string): Execution;
  find(arn: string): Execution | undefined;
  /** Newest first. */
  list(machine: Machine): readonly Execution[];
  running(): readonly Execution[];
  /** Stops all running executions and waits for the functions that are still running. */
  close(): Promise<void>;
}

interface ExecutionStoreOptions {
  readonly clock: WaitClock;
  /** The number of ended executions to keep. Beyond it, the one that ended first is deleted, and its name is free again. */
  readonly maxEnded: number;
  readonly onStateChange: (change: StateChange) => void;
}

export function createExecutionStore({ clock, maxEnded, onStateChange }: ExecutionStoreOptions): ExecutionStore {
  const executions = new Map<string, Execution>();
  const ended: string[] = [];
  let started = 0;

  function startNew(machine: Machine, name: string, input: string): Execution {
    const arn = executionArn(machine.name, name);
    const identity = { sequence: ++started, machine, name, arn, input, startedAt: clock.now() };
    const execution = runExecution(identity, clock, (event, at) => {
      onStateChange(toStateChange(identity, event, at));
      if (executions.get(arn)?.outcome) evictEnded(arn);
    });
    executions.set(arn, execution);
    return execution;
  }

  function evictEnded(arn: string): void {
    ended.push(arn);
    while (ended.length > maxEnded) executions.delete(ended.shift() ?? "");
  }

  function running(): readonly Execution[] {
    return [...executions.values()].filter((execution) => !execution.outcome);
  }

  return {
    start(machine, name = randomUUID(), input) {
      const found = executions.get(executionArn(machine.name, name));
      if (!found) return startNew(machine, name, input);
      if (!found.outcome && found.input === input) return found;
      throw new AwsError("ExecutionAlreadyExists", `Execution Already Exists: '${found.arn}'`);
    },
    find: (arn) => executions.get(arn),
    list: (machine) => [...executions.values()].filter((execution) => execution.machine === machine).reverse(),
    running,
    async close() {
      // A function that is still running may start another execution.
      do {
        for (const execution of running()) execution.stop({ cause: "the local runtime is shutting down" });
        await Promise.all([...executions.values()].map((execution) => execution.settled()));
      } while (running().length > 0);
    },
  };
}

function toStateChange(identity: { name: string; machine: Machine }, event: HistoryEventDraft, at: Date): StateChange {
  const { state, type, result } = event;
  return { execution: identity.name, machine: identity.machine.name, state, type, at, ...result };
}
