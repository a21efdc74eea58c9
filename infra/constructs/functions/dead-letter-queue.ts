import { Duration, Validations } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { type IQueue, Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { importKey } from "../access/import-key.ts";

/** Creates a queue for failed deliveries: kept for two weeks, encrypted with the key or one of SQS, TLS only. */
export function createDeadLetterQueue(scope: Construct, id: string, queueName: string, keyArn: string | null): Queue {
  const queue = new Queue(scope, id, {
    queueName,
    retentionPeriod: Duration.days(14),
    ...(keyArn === null
      ? { encryption: QueueEncryption.SQS_MANAGED }
      : { encryption: QueueEncryption.KMS, encryptionMasterKey: importKey(scope, keyArn) }),
    enforceSSL: true,
  });
  Validations.of(queue).acknowledge({ id: "AwsSolutions-SQS3", reason: "It is a dead-letter queue itself." });
  return queue;
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
