import { AwsFault } from "../wire/aws-fault.ts";
import { checkExecutionArn, machineIn } from "./arns.ts";
import type { Execution } from "./execution.ts";
import type { Ledger } from "./ledger.ts";
import type { Machine } from "./machine.ts";

/** What the operations of the service work on. */
export interface StepFunctions {
  readonly machines: ReadonlyMap<string, Machine>;
  readonly ledger: Ledger;
}

/** Throws InvalidArn or StateMachineDoesNotExist. */
export function machineOf(machines: ReadonlyMap<string, Machine>, arn: string): Machine {
  const machine = machines.get(machineIn(arn));
  if (machine) return machine;
  throw new AwsFault("StateMachineDoesNotExist", `State Machine Does Not Exist: '${arn}'`);
}

/** Throws InvalidArn or ExecutionDoesNotExist. */
export function executionOf(ledger: Ledger, arn: string): Execution {
  checkExecutionArn(arn);
  const execution = ledger.find(arn);
  if (execution) return execution;
  throw new AwsFault("ExecutionDoesNotExist", `Execution Does Not Exist: '${arn}'`);
}
