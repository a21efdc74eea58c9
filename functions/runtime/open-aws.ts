import { Forbidden } from "../ports/errors.ts";
import { type AwsOptions, withArnRegion, withTimeouts } from "../adapters/aws/client.ts";
import type { UpdateInput } from "../contract/workload-update.ts";
import type { PoolInput } from "../contract/node-pool-rollout.ts";
import type { Commands } from "../ports/node-commands.ts";
import type { CheckRecorder } from "../ports/check-recorder.ts";
import type { Events } from "../ports/events.ts";
import type { Executions } from "../ports/executions.ts";
import type { PoolCheckRecorder } from "../ports/pool-check-recorder.ts";
import type { PollContinuations } from "../ports/poll-continuation.ts";
import { requireSetting, type Settings } from "./settings.ts";

export interface AdapterOptions {
  readonly settings: Settings;
  readonly aws: AwsOptions;
  readonly now: () => Date;
}

export function openExecutions({ settings, aws }: AdapterOptions): Promise<Executions<UpdateInput>> {
  return openStateMachine(requireSetting(settings.stateMachineArn, "PAWL_STATE_MACHINE_ARN"), aws);
}

export function openPoolExecutions({ settings, aws }: AdapterOptions): Promise<Executions<PoolInput>> {
  return openStateMachine(requireSetting(settings.poolMachineArn, "PAWL_POOL_MACHINE_ARN"), aws);
}

async function openStateMachine<Input>(stateMachineArn: string, aws: AwsOptions): Promise<Executions<Input>> {
  const { SFNClient } = await import("@aws-sdk/client-sfn");
  const { createStepFunctionsExecutions } = await import("../adapters/aws/step-functions.ts");
  return createStepFunctionsExecutions({ client: new SFNClient(withTimeouts(aws)), stateMachineArn });
}

/** Of three attempts each: a bus that does not answer must not use up the time of a step. */
const publishTimeoutSeconds = 3;

export async function openEvents({ settings, aws, now }: AdapterOptions): Promise<Events> {
  const busName = requireSetting(settings.eventBusName, "PAWL_EVENT_BUS_NAME");
  const { EventBridgeClient } = await import("@aws-sdk/client-eventbridge");
  const { createEventBridgeEvents } = await import("../adapters/aws/event-bridge.ts");
  const client = new EventBridgeClient(withTimeouts(aws, publishTimeoutSeconds));
  return createEventBridgeEvents({ client, busName, now });
}

export async function openPollContinuations(
  cluster: string,
  { settings, aws }: AdapterOptions,
): Promise<PollContinuations> {
  const functionName = requireSetting(settings.pollFunction, "PAWL_POLL_FUNCTION");
  const { LambdaClient } = await import("@aws-sdk/client-lambda");
  const { createLambdaPollContinuations } = await import("../adapters/aws/lambda/poll-continuation.ts");
  const client = new LambdaClient(withTimeouts(withArnRegion(functionName, aws)));
  return createLambdaPollContinuations({ client, functionName, cluster });
}

/** Opens SSM commands. Without a command document every command throws, which each node's condition shows. */
export async function openCommands({ settings, aws }: AdapterOptions): Promise<Commands> {
  const { commandDocument: documentName } = settings;
  if (documentName === null) return { send: rejectCommand, result: rejectCommand };
  const { SSMClient } = await import("@aws-sdk/client-ssm");
  const { createSsmCommands } = await import("../adapters/aws/ssm/node-commands.ts");
  return createSsmCommands({ client: new SSMClient(withTimeouts(withArnRegion(documentName, aws))), documentName });
}

async function rejectCommand(): Promise<never> {
  throw new Forbidden("node commands are disabled in this deployment; see nodePools.runCommand in its configuration");
}

/** Above the timeout of the recording functions, which is one minute. */
const recordTimeoutSeconds = 70;

/** While their reserved concurrency is exhausted, invocations are retried with back-off: a poll has minutes. */
const recordAttempts = 10;

export async function openCheckRecorder(
  functionName: string,
  cluster: string,
  { aws, now }: AdapterOptions,
): Promise<CheckRecorder> {
  const { createLambdaCheckRecorder } = await import("../adapters/aws/lambda/check-recorder.ts");
  return createLambdaCheckRecorder({
    client: await createRecorderClient(functionName, aws),
    functionName,
    cluster,
    now,
  });
}

export async function openPoolCheckRecorder(
  functionName: string,
  cluster: string,
  { aws }: AdapterOptions,
): Promise<PoolCheckRecorder> {
  const { createLambdaPoolCheckRecorder } = await import("../adapters/aws/lambda/pool-check-recorder.ts");
  return createLambdaPoolCheckRecorder({
    client: await createRecorderClient(functionName, aws),
    functionName,
    cluster,
  });
}

async function createRecorderClient(functionName: string, aws: AwsOptions) {
  const { LambdaClient } = await import("@aws-sdk/client-lambda");
  const options = withTimeouts(withArnRegion(functionName, aws), recordTimeoutSeconds);
  return new LambdaClient({ ...options, maxAttempts: recordAttempts });
}
