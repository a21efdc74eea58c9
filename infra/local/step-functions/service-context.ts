import { AwsError } from "../aws-json/aws-error.ts";
import { checkExecutionArn, machineName } from "./arns.ts";
import type { Execution } from "./execution.ts";
import type { ExecutionStore } from "./execution-store.ts";
import type { Machine } from "./machine.ts";

/** The state that the service's operations share. */
export interface ServiceContext {
  readonly machines: ReadonlyMap<string, Machine>;
  readonly executions: ExecutionStore;
}

/** Returns the machine of an ARN. Throws InvalidArn or StateMachineDoesNotExist. */
export function getMachine(machines: ReadonlyMap<string, Machine>, arn: string): Machine {
  const machine = machines.get(machineName(arn));
  if (machine) return machine;
  throw new AwsError("StateMachineDoesNotExist", `State Machine Does Not Exist: '${arn}'`);
}

/** Returns the execution of an ARN. Throws InvalidArn or ExecutionDoesNotExist. */
export function getExecution(executions: ExecutionStore, arn: string): Execution {
  checkExecutionArn(arn);
  const execution = executions.find(arn);
  if (execution) return execution;
  throw new AwsError("ExecutionDoesNotExist", `Execution Does Not Exist: '${arn}'`);
}
