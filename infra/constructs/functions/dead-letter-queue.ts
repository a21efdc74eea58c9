import { Duration, Stack, Validations } from "aws-cdk-lib";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { type IQueue, Queue, QueueEncryption, type QueueProps } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { importKey } from "../access/import-key.ts";

/** Creates a queue for failed deliveries, which is kept for two weeks. */
export function createDeadLetterQueue(scope: Construct, id: string, queueName: string, keyArn: string | null): Queue {
  const queue = createQueue(scope, id, keyArn, { queueName, retentionPeriod: Duration.days(14) });
  Validations.of(queue).acknowledge({ id: "AwsSolutions-SQS3", reason: "It is a dead-letter queue itself." });
  return queue;
}

/** Creates a queue that is encrypted with the key, or with one of SQS, and that needs TLS. */
export function createQueue(scope: Construct, id: string, keyArn: string | null, props: QueueProps): Queue {
  const encryption =
    keyArn === null
      ? { encryption: QueueEncryption.SQS_MANAGED }
      : { encryption: QueueEncryption.KMS, encryptionMasterKey: importKey(scope, keyArn) };
  return new Queue(scope, id, { ...props, ...encryption, enforceSSL: true });
}

/** Returns the statements with which a role sends to the queue. */
export function sendStatements({ queueArn, encryptionMasterKey }: IQueue): readonly PolicyStatement[] {
  const sending = { actions: ["sqs:SendMessage"], resources: [queueArn] };
  return [
    new PolicyStatement({ sid: "DeadLetters", ...sending }),
    ...(encryptionMasterKey === undefined
      ? []
      : [
          new PolicyStatement({
            sid: "EncryptDeadLetters",
            actions: ["kms:Decrypt", "kms:GenerateDataKey"],
            resources: [encryptionMasterKey.keyArn],
          }),
        ]),
  ];
}

/** Returns the statement with which Lambda receives messages for a function, which may use the key of the queue. */
export function receiveStatement({ queueArn }: IQueue): PolicyStatement {
  const actions = ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"];
  return new PolicyStatement({ sid: "Receive", actions, resources: [queueArn] });
}

/** Lets rules of a bus send to the queue by one statement: with one for each rule, a policy would have more than SQS allows (20). */
export function allowRules(queue: Queue, busName: string): IQueue {
  const rules = Stack.of(queue).formatArn({ service: "events", resource: "rule", resourceName: `${busName}/*` });
  queue.addToResourcePolicy(
    new PolicyStatement({
      sid: "Rules",
      principals: [new ServicePrincipal("events.amazonaws.com")],
      actions: ["sqs:SendMessage"],
      resources: [queue.queueArn],
      conditions: { ArnLike: { "aws:SourceArn": rules } },
    }),
  );
  // An imported queue has no policy that a rule would extend.
  return Queue.fromQueueArn(queue, "OfRules", queue.queueArn);
}
