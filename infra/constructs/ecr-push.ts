import { Duration } from "aws-cdk-lib";
import { EventField, Rule, RuleTargetInput } from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import type { IAlias } from "aws-cdk-lib/aws-lambda";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { nameOf } from "./names.ts";

export interface EcrPushProps {
  /** The cluster's name. */
  readonly cluster: string;
  readonly poll: IAlias;
  readonly deadLetters: IQueue;
}

/**
 * Polls at once when a tag was pushed to ECR, the workloads of that repository only. The event is best effort and the tag
 * a hint: what is applied is decided by what the registry answers, and the schedule finds whatever this misses.
 */
export class EcrPush extends Construct {
  constructor(scope: Construct, id: string, { cluster, poll, deadLetters }: EcrPushProps) {
    super(scope, id);
    const input = RuleTargetInput.fromObject({
      cluster,
      repository: EventField.fromPath("$.detail.repository-name"),
      registry: EventField.account,
      region: EventField.region,
      tag: EventField.fromPath("$.detail.image-tag"),
    });
    const delivery = { deadLetterQueue: deadLetters, maxEventAge: Duration.hours(1), retryAttempts: 8 };
    new Rule(this, "Rule", {
      ruleName: nameOf(cluster, "ecr-push"),
      description: `An image was pushed: poll what uses it on cluster ${cluster}`,
      eventPattern: {
        source: ["aws.ecr"],
        detailType: ["ECR Image Action"],
        detail: { "action-type": ["PUSH"], result: ["SUCCESS"], "image-tag": [{ exists: true }] },
      },
      targets: [new LambdaFunction(poll, { event: input, ...delivery })],
    });
  }
}
