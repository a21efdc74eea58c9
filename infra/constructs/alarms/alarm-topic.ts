import { Aws, Duration, RemovalPolicy, Stack } from "aws-cdk-lib";
import { AccountRootPrincipal, PolicyDocument, PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Key } from "aws-cdk-lib/aws-kms";
import { Topic, type ITopic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import { Construct } from "constructs";
import type { AlarmsConfig } from "../../config/schema.ts";
import { importKey } from "../access/import-key.ts";
import { alarmTopicName } from "../resource-names.ts";

export interface AlarmTopicProps extends AlarmsConfig {
  readonly prefix: string;
  /** The key of a topic that is created; null creates a key too. */
  readonly encryptionKeyArn: string | null;
}

/** The topic of the alarms: the configured one, or a new one that is encrypted and requires TLS. */
export class AlarmTopic extends Construct {
  readonly topic: ITopic;

  constructor(scope: Construct, id: string, { prefix, topicArn, emails, encryptionKeyArn }: AlarmTopicProps) {
    super(scope, id);
    const topic =
      topicArn === null ? this.#createTopic(prefix, encryptionKeyArn) : Topic.fromTopicArn(this, "Topic", topicArn);
    for (const address of emails) topic.addSubscription(new EmailSubscription(address));
    this.topic = topic;
  }

  #createTopic(prefix: string, keyArn: string | null): Topic {
    const conditions = { StringEquals: { "aws:SourceAccount": Aws.ACCOUNT_ID } };
    const cloudWatch = new ServicePrincipal("cloudwatch.amazonaws.com", { conditions });
    const topic = new Topic(this, "Topic", {
      topicName: alarmTopicName(prefix),
      displayName: "Pawl",
      masterKey: keyArn === null ? this.#createKey(cloudWatch) : importKey(this, keyArn),
      enforceSSL: true,
    });
    const publishing = { actions: ["sns:Publish"], resources: [topic.topicArn], principals: [cloudWatch] };
    topic.addToResourcePolicy(new PolicyStatement({ sid: "Alarms", ...publishing }));
    return topic;
  }

  /** CloudWatch cannot use the AWS managed key of SNS. The account manages this key. */
  #createKey(cloudWatch: ServicePrincipal): Key {
    const account = new AccountRootPrincipal();
    return new Key(this, "Key", {
      description: `Encrypts the alarms of ${Stack.of(this).stackName}`,
      enableKeyRotation: true,
      // It encrypts messages in transit to their subscribers, and nothing that is kept.
      removalPolicy: RemovalPolicy.DESTROY,
      pendingWindow: Duration.days(keyDeletionDays),
      policy: new PolicyDocument({
        // In a key policy, * is the key itself.
        statements: [
          new PolicyStatement({ sid: "ManageKey", actions: manageActions, resources: ["*"], principals: [account] }),
          new PolicyStatement({ sid: "Alarms", actions: useActions, resources: ["*"], principals: [cloudWatch] }),
        ],
      }),
    });
  }
}

/** The minimum of KMS. */
const keyDeletionDays = 7;

const useActions = ["kms:Decrypt", "kms:GenerateDataKey"];

/** The actions that manage a key, by name: no policy of Pawl has a wildcard action. */
const manageActions = [
  ...useActions,
  "kms:CancelKeyDeletion",
  "kms:CreateGrant",
  "kms:DescribeKey",
  "kms:DisableKey",
  "kms:DisableKeyRotation",
  "kms:EnableKey",
  "kms:EnableKeyRotation",
  "kms:GetKeyPolicy",
  "kms:GetKeyRotationStatus",
  "kms:ListGrants",
  "kms:ListKeyPolicies",
  "kms:ListResourceTags",
  "kms:PutKeyPolicy",
  "kms:RevokeGrant",
  "kms:ScheduleKeyDeletion",
  "kms:TagResource",
  "kms:UntagResource",
  "kms:UpdateKeyDescription",
];
