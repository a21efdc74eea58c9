import { Aws, Stack } from "aws-cdk-lib";
import { AccountRootPrincipal, PolicyDocument, PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Key } from "aws-cdk-lib/aws-kms";
import { Topic, type ITopic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import { Construct } from "constructs";
import type { AlarmsConfig } from "../config-shape.ts";

/** The topic that alarms go to: the one that is given, or one made here, encrypted and for TLS only. */
export class AlarmTopic extends Construct {
  readonly topic: ITopic;

  constructor(scope: Construct, id: string, { topicArn, emails }: AlarmsConfig) {
    super(scope, id);
    const topic = topicArn === null ? this.#made() : Topic.fromTopicArn(this, "Topic", topicArn);
    for (const address of emails) topic.addSubscription(new EmailSubscription(address));
    this.topic = topic;
  }

  #made(): Topic {
    const conditions = { StringEquals: { "aws:SourceAccount": Aws.ACCOUNT_ID } };
    const cloudWatch = new ServicePrincipal("cloudwatch.amazonaws.com", { conditions });
    const topic = new Topic(this, "Topic", {
      topicName: "pawl-alarms",
      displayName: "Pawl",
      masterKey: this.#key(cloudWatch),
      enforceSSL: true,
    });
    const publishing = { actions: ["sns:Publish"], resources: [topic.topicArn], principals: [cloudWatch] };
    topic.addToResourcePolicy(new PolicyStatement({ sid: "Alarms", ...publishing }));
    return topic;
  }

  /** SNS's own key cannot be used by CloudWatch; this one is used by it and kept by the account. */
  #key(cloudWatch: ServicePrincipal): Key {
    const account = new AccountRootPrincipal();
    return new Key(this, "Key", {
      description: `Encrypts the alarms of ${Stack.of(this).stackName}`,
      enableKeyRotation: true,
      policy: new PolicyDocument({
        // In a key's own policy * is the key.
        statements: [
          new PolicyStatement({ sid: "Keep", actions: keeping, resources: ["*"], principals: [account] }),
          new PolicyStatement({ sid: "Alarms", actions: using, resources: ["*"], principals: [cloudWatch] }),
        ],
      }),
    });
  }
}

const using = ["kms:Decrypt", "kms:GenerateDataKey"];

/** All that it takes to keep a key, by name: no action of Pawl's is a wildcard. */
const keeping = [
  ...using,
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
