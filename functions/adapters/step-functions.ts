import { DescribeExecutionCommand, ExecutionAlreadyExists, ExecutionDoesNotExist } from "@aws-sdk/client-sfn";
import { StartExecutionCommand, type SFNClient } from "@aws-sdk/client-sfn";
import type { ExecutionState, Executions } from "../ports/executions.ts";
import { awsFailure } from "./aws-failure.ts";

interface Options {
  readonly client: SFNClient;
  /** Also one that ends in a version or an alias. */
  readonly stateMachineArn: string;
}

/** The executions of one state machine of Step Functions. */
export function stepFunctionsExecutions<Input>({ client, stateMachineArn }: Options): Executions<Input> {
  async function state(name: string): Promise<ExecutionState> {
    try {
      const executionArn = executionArnOf(stateMachineArn, name);
      const { status } = await client.send(new DescribeExecutionCommand({ executionArn }));
      if (status === "RUNNING") return "running";
      return status === "ABORTED" ? "aborted" : "ended";
    } catch (error) {
      if (error instanceof ExecutionDoesNotExist) return "unknown";
      throw awsFailure(error, `DescribeExecution ${name}`);
    }
  }

  return {
    state,
    async start(name, input) {
      try {
        await client.send(new StartExecutionCommand({ stateMachineArn, name, input: JSON.stringify(input) }));
        return "started";
      } catch (error) {
        if (!(error instanceof ExecutionAlreadyExists)) throw awsFailure(error, `StartExecution ${name}`);
        return (await state(name)) === "running" ? "started" : "ended";
      }
    },
  };
}

/** An execution's ARN names the machine without the version or alias that it was started by. */
function executionArnOf(stateMachineArn: string, execution: string): string {
  const [arn, partition, service, region, account, , machine] = stateMachineArn.split(":");
  return [arn, partition, service, region, account, "execution", machine, execution].join(":");
}
