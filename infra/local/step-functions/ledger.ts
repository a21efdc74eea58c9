import { randomUUID } from "node:crypto";
import { AwsFault } from "../wire/aws-fault.ts";
import { executionArn } from "./arns.ts";
import type { Execution, StateChange } from "./execution.ts";
import type { Happening } from "./happenings.ts";
import type { Machine } from "./machine.ts";
import { runExecution } from "./run-execution.ts";
import type { Clock } from "./wait.ts";

/** All executions: those that run, and of those that ended the newest. */
export interface Ledger {
  /**
   * Starts an execution, or finds the one that runs under this name with this very input.
   * Throws ExecutionAlreadyExists where the name is taken otherwise.
   */
  start(machine: Machine, name: string | undefined, input: string): Execution;
  find(arn: string): Execution | undefined;
  /** Newest first. */
  of(machine: Machine): readonly Execution[];
  running(): readonly Execution[];
  /** Stops what runs, and waits for every function that is under way. */
  close(): Promise<void>;
}

interface LedgerOptions {
  readonly clock: Clock;
  /** How many ended executions are kept; the one that ended first is forgotten first, and its name is free again. */
  readonly keepEnded: number;
  readonly onStateChange: (change: StateChange) => void;
}

export function openLedger({ clock, keepEnded, onStateChange }: LedgerOptions): Ledger {
  const executions = new Map<string, Execution>();
  const ended: string[] = [];
  let started = 0;

  function begin(machine: Machine, name: string, input: string): Execution {
    const arn = executionArn(machine.name, name);
    const identity = { sequence: ++started, machine, name, arn, input, startedAt: clock.now() };
    const execution = runExecution(identity, clock, (happening, at) => {
      onStateChange(changeOf(identity, happening, at));
      if (executions.get(arn)?.ending) forgetBeyond(keepEnded, arn);
    });
    executions.set(arn, execution);
    return execution;
  }

  function forgetBeyond(most: number, endedNow: string): void {
    ended.push(endedNow);
    while (ended.length > most) executions.delete(ended.shift() ?? "");
  }

  function running(): readonly Execution[] {
    return [...executions.values()].filter((execution) => !execution.ending);
  }

  return {
    start(machine, name = randomUUID(), input) {
      const found = executions.get(executionArn(machine.name, name));
      if (!found) return begin(machine, name, input);
      if (!found.ending && found.input === input) return found;
      throw new AwsFault("ExecutionAlreadyExists", `Execution Already Exists: '${found.arn}'`);
    },
    find: (arn) => executions.get(arn),
    of: (machine) => [...executions.values()].filter((execution) => execution.machine === machine).reverse(),
    running,
    async close() {
      // A function that is under way may start one more.
      do {
        for (const execution of running()) execution.stop({ cause: "the local runtime closes" });
        await Promise.all([...executions.values()].map((execution) => execution.settled()));
      } while (running().length > 0);
    },
  };
}

function changeOf(identity: { name: string; machine: Machine }, happening: Happening, at: Date): StateChange {
  const { state, type, result } = happening;
  return { execution: identity.name, machine: identity.machine.name, state, type, at, ...result };
}
