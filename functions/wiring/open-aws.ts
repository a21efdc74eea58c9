import { Forbidden } from "../adapters/errors.ts";
import { type AwsOptions, inRegionOf, withTimeouts } from "../adapters/aws-client.ts";
import type { UpdateInput } from "../contract.ts";
import type { PoolInput } from "../pool-contract.ts";
import type { Commands } from "../ports/commands.ts";
import type { Checks } from "../ports/checks.ts";
import type { Events } from "../ports/events.ts";
import type { Executions } from "../ports/executions.ts";
import type { PoolChecks } from "../ports/pool-checks.ts";
import type { Polls } from "../ports/polls.ts";
import { needed, type Settings } from "../settings.ts";

export interface Wiring {
  readonly settings: Settings;
  readonly aws: AwsOptions;
  readonly now: () => Date;
}

export function openExecutions({ settings, aws }: Wiring): Promise<Executions<UpdateInput>> {
  return executionsOf(needed(settings.stateMachineArn, "PAWL_STATE_MACHINE_ARN"), aws);
}

export function openPoolExecutions({ settings, aws }: Wiring): Promise<Executions<PoolInput>> {
  return executionsOf(needed(settings.poolMachineArn, "PAWL_POOL_MACHINE_ARN"), aws);
}

async function executionsOf<Input>(stateMachineArn: string, aws: AwsOptions): Promise<Executions<Input>> {
  const { SFNClient } = await import("@aws-sdk/client-sfn");
  const { stepFunctionsExecutions } = await import("../adapters/step-functions.ts");
  return stepFunctionsExecutions({ client: new SFNClient(withTimeouts(aws)), stateMachineArn });
}

export async function openEvents({ settings, aws, now }: Wiring): Promise<Events> {
  const busName = needed(settings.eventBusName, "PAWL_EVENT_BUS_NAME");
  const { EventBridgeClient } = await import("@aws-sdk/client-eventbridge");
  const { eventBridgeEvents } = await import("../adapters/event-bridge.ts");
  return eventBridgeEvents({ client: new EventBridgeClient(withTimeouts(aws)), busName, now });
}

export async function openPolls(cluster: string, { settings, aws }: Wiring): Promise<Polls> {
  const functionName = needed(settings.pollFunction, "PAWL_POLL_FUNCTION");
  const { LambdaClient } = await import("@aws-sdk/client-lambda");
  const { lambdaPolls } = await import("../adapters/lambda-polls.ts");
  const client = new LambdaClient(withTimeouts(inRegionOf(functionName, aws)));
  return lambdaPolls({ client, functionName, cluster });
}

/** Where the deployment sends none, every node of such a pool says so. */
export async function openCommands({ settings, aws }: Wiring): Promise<Commands> {
  const { commandDocument: documentName } = settings;
  if (documentName === null) return { send: refuseCommand, result: refuseCommand };
  const { SSMClient } = await import("@aws-sdk/client-ssm");
  const { ssmCommands } = await import("../adapters/ssm/commands.ts");
  return ssmCommands({ client: new SSMClient(withTimeouts(inRegionOf(documentName, aws))), documentName });
}

async function refuseCommand(): Promise<never> {
  throw new Forbidden(
    "this deployment of Pawl sends no commands to nodes: see nodePools.runCommand in its configuration",
  );
}

/** The functions that write down what a poll decided have a minute. */
const longestRecordSeconds = 70;

/** While their reserved concurrency is used up they are asked again, later each time: a poll has minutes. */
const recordAttempts = 10;

export async function openChecks(functionName: string, cluster: string, { aws, now }: Wiring): Promise<Checks> {
  const { lambdaChecks } = await import("../adapters/lambda-checks.ts");
  return lambdaChecks({ client: await recordingClient(functionName, aws), functionName, cluster, now });
}

export async function openPoolChecks(functionName: string, cluster: string, { aws }: Wiring): Promise<PoolChecks> {
  const { lambdaPoolChecks } = await import("../adapters/lambda-pool-checks.ts");
  return lambdaPoolChecks({ client: await recordingClient(functionName, aws), functionName, cluster });
}

async function recordingClient(functionName: string, aws: AwsOptions) {
  const { LambdaClient } = await import("@aws-sdk/client-lambda");
  const options = withTimeouts(inRegionOf(functionName, aws), longestRecordSeconds);
  return new LambdaClient({ ...options, maxAttempts: recordAttempts });
}
