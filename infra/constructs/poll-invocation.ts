import { CfnEventInvokeConfig } from "aws-cdk-lib/aws-lambda";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import type { PollConfig } from "../config-shape.ts";
import { deliveryOf } from "./delivery.ts";
import { functionSpecs } from "./functions.ts";
import { live } from "./names.ts";
import type { PawlFunction } from "./pawl-function.ts";

export interface PollInvocationProps {
  readonly poll: PawlFunction;
  readonly when: PollConfig;
  /** Gets every event whose poll failed, with the error. The poll's role must be allowed to send to it. */
  readonly onFailure: IQueue;
}

/** One poll runs at a time: what comes meanwhile, the next tick or the rest that it hands on itself, waits for its end. */
const longestWaitSeconds = 2 * functionSpecs.poll.timeoutSeconds;

/** A poll that fails is not run again by Lambda: the next tick looks at everything anew. */
export class PollInvocation extends Construct {
  constructor(scope: Construct, id: string, { poll, when, onFailure }: PollInvocationProps) {
    super(scope, id);
    const config = new CfnEventInvokeConfig(this, "Config", {
      functionName: poll.functionName,
      qualifier: live,
      maximumRetryAttempts: 0,
      maximumEventAgeInSeconds: Math.max(deliveryOf(when).maximumEventAgeInSeconds, longestWaitSeconds),
      destinationConfig: { onFailure: { destination: onFailure.queueArn } },
    });
    config.node.addDependency(poll.alias);
  }
}
