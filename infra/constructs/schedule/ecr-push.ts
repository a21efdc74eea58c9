import { Duration } from "aws-cdk-lib";
import { EventField, Rule, RuleTargetInput } from "aws-cdk-lib/aws-events";
import { SqsQueue } from "aws-cdk-lib/aws-events-targets";
import type { IAlias } from "aws-cdk-lib/aws-lambda";
import { SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import type { IQueue, Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import type { ClusterConfig } from "../../config/schema.ts";
import { createQueue } from "../functions/dead-letter-queue.ts";
import { queueConcurrency } from "../functions/reserved-concurrency.ts";
import { resourceName } from "../resource-names.ts";

/** Scheduled polls find what was pushed: a message that failed twice only shows that its polls fail. */
const maxReceives = 2;
const maxMessages = 10_000;

/** Matches pushes of tags, also those that other accounts and regions send to the bus. */
export const ecrPushPattern = {
  source: ["aws.ecr"],
  detailType: ["ECR Image Action"],
  detail: { "action-type": ["PUSH"], result: ["SUCCESS"], "image-tag": [{ exists: true }] },
};

/** Creates the queue of pushes to ECR, whose failed messages are dead letters. */
export function createPushQueue(
  scope: Construct,
  id: string,
  { cluster, deadLetters, keyArn }: { cluster: ClusterConfig; deadLetters: Queue; keyArn: string | null },
): Queue {
  return createQueue(scope, id, keyArn, {
    queueName: resourceName(cluster, "ecr-pushes"),
    retentionPeriod: Duration.hours(4),
    // What Lambda recommends, so that a poll that is throttled or retried has its messages meanwhile.
    visibilityTimeout: Duration.seconds(6 * cluster.poll.timeout),
    deadLetterQueue: { queue: deadLetters, maxReceiveCount: maxReceives },
  });
}

export interface EcrPushProps {
  readonly cluster: ClusterConfig;
  readonly poll: IAlias;
  readonly pushes: IQueue;
  readonly deadLetters: IQueue;
}

/**
 * Starts one poll for all ECR repositories to which tags are pushed within `poll.pushBatchSeconds`. The event is best effort: the poll
 * reads the registry before it decides, and scheduled polls find missed pushes.
 */
export class EcrPushRule extends Construct {
  constructor(scope: Construct, id: string, { cluster, poll, pushes, deadLetters }: EcrPushProps) {
    super(scope, id);
    const { enabled, pushBatchSeconds } = cluster.poll;
    const push = {
      repository: EventField.fromPath("$.detail.repository-name"),
      registry: EventField.account,
      region: EventField.region,
    };
    const message = RuleTargetInput.fromObject({ cluster: cluster.name, pushes: [push] });
    const delivery = { deadLetterQueue: deadLetters, maxEventAge: Duration.hours(1), retryAttempts: 8 };
    new Rule(this, "Rule", {
      ruleName: resourceName(cluster, "ecr-push"),
      description: `Polls the workloads of a pushed image on cluster ${cluster.name}`,
      // Like its schedule.
      enabled,
      eventPattern: ecrPushPattern,
      targets: [new SqsQueue(pushes, { message, ...delivery })],
    });
    const source = new SqsEventSource(pushes, {
      batchSize: maxMessages,
      maxBatchingWindow: Duration.seconds(pushBatchSeconds),
      maxConcurrency: queueConcurrency,
    });
    poll.addEventSource(source);
  }
}
