import type { FanOutState, PollBatchOutput } from "../../functions/contract/poll-fanout.ts";
import { runInProcess } from "../../functions/workflows/poll/fan-out/run-in-process.ts";
import { functionSpecs } from "../../infra/constructs/functions/function-specs.ts";
import { fakeAws } from "../../test/support/aws/aws-services.ts";
import { fakePorts } from "../../test/support/fake-ports.ts";
import { startS3Endpoint } from "../../test/support/aws/s3-endpoint.ts";
import { asPoll, type Invocation, runAsLambda } from "../poll-memory/lambda.ts";

export type FunctionName = "poll" | "poll-batch" | "collect-batches";

export interface Invoked extends Omit<Invocation<unknown>, "output"> {
  readonly name: FunctionName;
}

/** Of a machine with two cores. */
const concurrency = 2;

/** Runs the deployed poll and what it starts. The invocations are in the order of their ends. */
export async function pollInProcesses(environment: Readonly<Record<string, string>>) {
  const started: FanOutState[] = [];
  await using aws = await fakeAws(({ body }) => {
    started.push(JSON.parse((JSON.parse(body) as { readonly input: string }).input) as FanOutState);
    return { body: { executionArn: "arn", startDate: 1 } };
  });
  const s3 = await startS3Endpoint();
  const invocations: Invoked[] = [];
  const settings = {
    ...environment,
    AWS_REGION: "eu-west-1",
    AWS_ACCESS_KEY_ID: "bench",
    AWS_SECRET_ACCESS_KEY: "bench",
    AWS_ENDPOINT_URL_SFN: aws.options.endpoint,
    AWS_ENDPOINT_URL_S3: s3.url,
    PAWL_WORK_BUCKET: "work",
    PAWL_FANOUT_MACHINE: "arn:aws:states:eu-west-1:123456789012:stateMachine:pawl-bench-poll-fanout",
    POWERTOOLS_LOG_LEVEL: "SILENT",
    POWERTOOLS_METRICS_DISABLED: "true",
  };

  async function invoke<Output>(name: FunctionName, event: object): Promise<Output> {
    const { output, ...usage } = await runAsLambda<Output>(name, event, asPoll(settings, functionSpecs[name]));
    invocations.push({ name, ...usage });
    return output;
  }

  try {
    await invoke("poll", { cluster: "bench" });
    const [state] = started;
    if (state === undefined) throw new Error("the poll fitted into one invocation; use more workloads");
    const end = await runInProcess(fakePorts({}), state, {
      concurrency,
      tasks: {
        continueList: (listing) => invoke<FanOutState>("poll", { cluster: "bench", listing }),
        pollBatch: (input) => invoke<PollBatchOutput>("poll-batch", input),
        collectBatches: (input) => invoke<FanOutState>("collect-batches", input),
      },
    });
    return { invocations, end };
  } finally {
    await s3.close();
  }
}
