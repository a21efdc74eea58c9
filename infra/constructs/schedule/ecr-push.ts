import { Duration } from "aws-cdk-lib";
import { EventField, Rule, RuleTargetInput } from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import type { IAlias } from "aws-cdk-lib/aws-lambda";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import type { ClusterConfig } from "../../config/schema.ts";
import { resourceName } from "../resource-names.ts";

export interface EcrPushProps {
  readonly cluster: ClusterConfig;
  readonly poll: IAlias;
  readonly deadLetters: IQueue;
}

/**
 * Starts a poll for the workloads of an ECR repository when a tag is pushed to it. The event is best effort: the poll
 * reads the registry before it decides, and scheduled polls find missed pushes.
 */
export class EcrPushRule extends Construct {
  constructor(scope: Construct, id: string, { cluster, poll, deadLetters }: EcrPushProps) {
    super(scope, id);
    const input = RuleTargetInput.fromObject({
      cluster: cluster.name,
      repository: EventField.fromPath("$.detail.repository-name"),
      registry: EventField.account,
      region: EventField.region,
      tag: EventField.fromPath("$.detail.image-tag"),
    });
    const delivery = { deadLetterQueue: deadLetters, maxEventAge: Duration.hours(1), retryAttempts: 8 };
    new Rule(this, "Rule", {
      ruleName: resourceName(cluster, "ecr-push"),
      description: `Polls the workloads of a pushed image on cluster ${cluster.name}`,
      // Like its schedule.
      enabled: cluster.poll.enabled,
      eventPattern: {
        source: ["aws.ecr"],
        detailType: ["ECR Image Action"],
        detail: { "action-type": ["PUSH"], result: ["SUCCESS"], "image-tag": [{ exists: true }] },
      },
      targets: [new LambdaFunction(poll, { event: input, ...delivery })],
    });
  }
}
