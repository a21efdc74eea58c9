import { CfnEventInvokeConfig } from "aws-cdk-lib/aws-lambda";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import type { PollConfig } from "../../config/schema.ts";
import { retryPolicy } from "../schedule/retry-policy.ts";
import { live } from "../resource-names.ts";
import type { HandlerFunction } from "./handler-function.ts";

export interface AsyncInvokeConfigProps {
  readonly poll: HandlerFunction;
  readonly pollConfig: PollConfig & { readonly timeout: number };
  /** Receives every event whose poll failed, with the error. The poll's role needs the right to send to it. */
  readonly onFailure: IQueue;
}

/** Lambda does not retry a failed poll, because the next one evaluates every workload. */
export class AsyncInvokeConfig extends Construct {
  constructor(scope: Construct, id: string, { poll, pollConfig, onFailure }: AsyncInvokeConfigProps) {
    super(scope, id);
    const { maximumEventAgeInSeconds } = retryPolicy(pollConfig);
    // With reserved concurrency, a poll may wait for the end of another.
    const config = new CfnEventInvokeConfig(this, "Config", {
      functionName: poll.functionName,
      qualifier: live,
      maximumRetryAttempts: 0,
      maximumEventAgeInSeconds: Math.max(maximumEventAgeInSeconds, 2 * pollConfig.timeout),
      destinationConfig: { onFailure: { destination: onFailure.queueArn } },
    });
    config.node.addDependency(poll.alias);
  }
}
