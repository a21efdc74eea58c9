import {
  DescribeExecutionCommand,
  type DescribeExecutionOutput,
  ExecutionAlreadyExists,
  ExecutionDoesNotExist,
} from "@aws-sdk/client-sfn";
import { InvalidArn, StartExecutionCommand, type SFNClient } from "@aws-sdk/client-sfn";
import type { ExecutionState, Executions } from "../../ports/executions.ts";
import { mapAwsError } from "./map-error.ts";

interface Options {
  readonly client: SFNClient;
  /** May end in a version or an alias. */
  readonly stateMachineArn: string;
}

/** Creates access to the executions of one Step Functions state machine. */
export function createStepFunctionsExecutions<Input>({ client, stateMachineArn }: Options): Executions<Input> {
  /** Returns null if there is no execution of this name. */
  async function describe(name: string): Promise<DescribeExecutionOutput | null> {
    try {
      const executionArn = formatExecutionArn(stateMachineArn, name);
      return await client.send(new DescribeExecutionCommand({ executionArn }));
    } catch (error) {
      // A name from a status that was edited may be none.
      if (error instanceof ExecutionDoesNotExist || error instanceof InvalidArn) return null;
      throw mapAwsError(error, `DescribeExecution ${name}`);
    }
  }

  async function state(name: string): Promise<ExecutionState> {
    const found = await describe(name);
    if (found === null) return "unknown";
    if (found.status === "RUNNING") return "running";
    return found.status === "ABORTED" ? "aborted" : "ended";
  }

  return {
    state,
    async failure(name) {
      const { status, error = "", cause = "" } = (await describe(name)) ?? {};
      return status === "FAILED" ? { error, cause } : null;
    },
    async start(name, input) {
      try {
        await client.send(new StartExecutionCommand({ stateMachineArn, name, input: JSON.stringify(input) }));
        return "started";
      } catch (error) {
        if (!(error instanceof ExecutionAlreadyExists)) throw mapAwsError(error, `StartExecution ${name}`);
        return (await state(name)) === "running" ? "started" : "ended";
      }
    },
  };
}

/** Returns an execution's ARN, which omits the version or alias of the state machine. */
function formatExecutionArn(stateMachineArn: string, execution: string): string {
  const [arn, partition, service, region, account, , machine] = stateMachineArn.split(":");
  return [arn, partition, service, region, account, "execution", machine, execution].join(":");
}
