import { Forbidden } from "../ports/errors.ts";
import type { AwsRateLimiter } from "../adapters/aws/rate-limiter.ts";
import { type AwsOptions, withArnRegion, withTimeouts } from "../adapters/aws/client.ts";
import type { FanOutState } from "../contract/poll-fanout.ts";
import type { UpdateInput } from "../contract/workload-update.ts";
import type { PoolInput } from "../contract/node-pool-rollout.ts";
import type { Commands } from "../ports/node-commands.ts";
import type { CheckRecorder } from "../ports/check-recorder.ts";
import type { Events } from "../ports/events.ts";
import type { Executions } from "../ports/executions.ts";
import type { DigestSender, PollLease } from "../ports/poll-lease.ts";
import type { PoolCheckRecorder } from "../ports/pool-check-recorder.ts";
import type { WorkList } from "../ports/work-list.ts";
import { requireSetting, type Settings } from "./settings.ts";

export interface AdapterOptions {
  readonly settings: Settings;
  readonly aws: AwsOptions;
  readonly now: () => Date;
  /** Of all that this process requests. Absent: nothing is delayed. */
  readonly limiter?: AwsRateLimiter;
}

export function openExecutions({ settings, ...options }: AdapterOptions): Promise<Executions<UpdateInput>> {
  return openStateMachine(requireSetting(settings.stateMachineArn, "PAWL_STATE_MACHINE_ARN"), options);
}

export function openPoolExecutions({ settings, ...options }: AdapterOptions): Promise<Executions<PoolInput>> {
  return openStateMachine(requireSetting(settings.poolMachineArn, "PAWL_POOL_MACHINE_ARN"), options);
}

export function openFanOutExecutions({ settings, ...options }: AdapterOptions): Promise<Executions<FanOutState>> {
  return openStateMachine(requireSetting(settings.fanOutMachineArn, "PAWL_FANOUT_MACHINE"), options);
}

async function openStateMachine<Input>(
  stateMachineArn: string,
  { aws, limiter }: Pick<AdapterOptions, "aws" | "limiter">,
): Promise<Executions<Input>> {
  const { SFNClient } = await import("@aws-sdk/client-sfn");
  const { createStepFunctionsExecutions } = await import("../adapters/aws/step-functions.ts");
  return createStepFunctionsExecutions({ client: new SFNClient(withTimeouts(aws)), stateMachineArn, limiter });
}

/** Of three attempts each: a bus that does not answer must not use up the time of a step. */
const publishTimeoutSeconds = 3;

export async function openEvents({ settings, aws, now, limiter }: AdapterOptions): Promise<Events> {
  const busName = requireSetting(settings.eventBusName, "PAWL_EVENT_BUS_NAME");
  const { EventBridgeClient } = await import("@aws-sdk/client-eventbridge");
  const { createEventBridgeEvents } = await import("../adapters/aws/event-bridge.ts");
  const client = new EventBridgeClient(withTimeouts(aws, publishTimeoutSeconds));
  return createEventBridgeEvents({ client, busName, now, limiter });
}

/** Opens the bucket of work lists. */
export async function openWorkList(cluster: string, { settings, aws }: AdapterOptions): Promise<WorkList> {
  const bucket = requireSetting(settings.workBucket, "PAWL_WORK_BUCKET");
  const { S3Client } = await import("@aws-sdk/client-s3");
  const { createS3WorkList } = await import("../adapters/aws/s3/work-list.ts");
  return createS3WorkList({ client: new S3Client(withTimeouts(aws)), bucket, prefix: cluster });
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
  { settings, aws, now }: AdapterOptions,
): Promise<CheckRecorder> {
  const { createLambdaCheckRecorder } = await import("../adapters/aws/lambda/check-recorder.ts");
  return createLambdaCheckRecorder({
    client: await createRecorderClient(functionName, aws),
    functionName,
    cluster,
    now,
    // Sixteen batches of a poll write at a time.
    ...(isBatch(settings) ? { concurrency: 1 } : {}),
  });
}

/** Reports whether the function has a part of a work list: it does not start the machine that polls it. */
function isBatch({ workBucket, fanOutMachineArn }: AdapterOptions["settings"]): boolean {
  return workBucket !== null && fanOutMachineArn === null;
}

export async function openLambdaPollLease(
  functionName: string,
  cluster: string,
  { aws }: AdapterOptions,
): Promise<PollLease> {
  const { createLambdaPollLease } = await import("../adapters/aws/lambda/poll-lease.ts");
  return createLambdaPollLease({ client: await createRecorderClient(functionName, aws), functionName, cluster });
}

export async function openLambdaDigestSender(
  functionName: string,
  cluster: string,
  { aws }: AdapterOptions,
): Promise<Pick<DigestSender, "send">> {
  const { createLambdaDigestSender } = await import("../adapters/aws/lambda/poll-lease.ts");
  return createLambdaDigestSender({ client: await createRecorderClient(functionName, aws), functionName, cluster });
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

export async function createRecorderClient(functionName: string, aws: AwsOptions) {
  const { LambdaClient } = await import("@aws-sdk/client-lambda");
  const options = withTimeouts(withArnRegion(functionName, aws), recordTimeoutSeconds);
  return new LambdaClient({ ...options, maxAttempts: recordAttempts });
}
