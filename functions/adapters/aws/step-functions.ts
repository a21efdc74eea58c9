import {
  DescribeExecutionCommand,
  type DescribeExecutionOutput,
  ExecutionAlreadyExists,
  ExecutionDoesNotExist,
  ListExecutionsCommand,
  type ListExecutionsOutput,
} from "@aws-sdk/client-sfn";
import { InvalidArn, StartExecutionCommand, type SFNClient } from "@aws-sdk/client-sfn";
import type { ExecutionState, Executions } from "../../ports/executions.ts";
import { mapAwsError } from "./map-error.ts";
import type { AwsRateLimiter } from "./rate-limiter.ts";

interface Options {
  readonly client: SFNClient;
  /** May end in a version or an alias. */
  readonly stateMachineArn: string;
  /** Absent: nothing is delayed. */
  readonly limiter?: AwsRateLimiter | undefined;
}

/** The most that ListExecutions returns at a time. */
const maxResults = 1000;

/** Creates access to the executions of one Step Functions state machine. */
export function createStepFunctionsExecutions<Input>({ client, stateMachineArn, limiter }: Options): Executions<Input> {
  /** Returns null if there is no execution of this name. */
  async function describe(name: string): Promise<DescribeExecutionOutput | null> {
    await limiter?.acquire("describesPerSecond", `DescribeExecution ${name}`);
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

  async function listRunning(): Promise<ReadonlyMap<string, Date>> {
    const running = new Map<string, Date>();
    const filter = { stateMachineArn: formatMachineArn(stateMachineArn), statusFilter: "RUNNING", maxResults } as const;
    let nextToken: string | undefined;
    do {
      const page: ListExecutionsOutput = await client.send(new ListExecutionsCommand({ ...filter, nextToken }));
      for (const { name = "", startDate = new Date(0) } of page.executions ?? []) running.set(name, startDate);
      ({ nextToken } = page);
    } while (nextToken !== undefined);
    return running;
  }

  return {
    async listRunning() {
      try {
        return await listRunning();
      } catch (error) {
        throw mapAwsError(error, "ListExecutions");
      }
    },
    state,
    async failure(name) {
      const { status, error = "", cause = "" } = (await describe(name)) ?? {};
      return status === "FAILED" ? { error, cause } : null;
    },
    async start(name, input) {
      await limiter?.acquire("startsPerSecond", `StartExecution ${name}`);
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

/**
 * Returns the ARN without a version or an alias. By it ListExecutions returns the executions of all of them, and by an alias only those
 * that the alias started. https://docs.aws.amazon.com/step-functions/latest/apireference/API_ListExecutions.html
 */
function formatMachineArn(stateMachineArn: string): string {
  return stateMachineArn.split(":").slice(0, 7).join(":");
}

/** Returns an execution's ARN, which omits the version or alias of the state machine. */
function formatExecutionArn(stateMachineArn: string, execution: string): string {
  const [arn, partition, service, region, account, , machine] = stateMachineArn.split(":");
  return [arn, partition, service, region, account, "execution", machine, execution].join(":");
}
