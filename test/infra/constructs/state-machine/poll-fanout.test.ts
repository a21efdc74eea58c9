import { describe, expect, test } from "vitest";
import { statementsOf } from "../../policies.ts";
import { synthesise } from "../../synthesized-stack.ts";

const eks = { clusterName: "prod", region: "eu-central-1" };
const clusters = [{ name: "prod", eks }];
const encryptionKeyArn = "arn:aws:kms:eu-central-1:123456789012:key/01234567-89ab-cdef-0123-456789abcdef";
const stack = synthesise({ clusters });
const encrypted = synthesise({ clusters, encryptionKeyArn });

function encryptionOf({ at }: typeof stack): object {
  const { BucketEncryption } = at("prod/WorkLists").Properties as {
    readonly BucketEncryption: { readonly ServerSideEncryptionConfiguration: readonly object[] };
  };
  return BucketEncryption.ServerSideEncryptionConfiguration[0] ?? {};
}

describe("the bucket of work lists", () => {
  const bucket = stack.at("prod/WorkLists");

  test("forgets everything after a day", () => {
    expect(bucket.Properties["LifecycleConfiguration"]).toEqual({
      Rules: [
        {
          Id: "expire",
          Status: "Enabled",
          ExpirationInDays: 1,
          AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
        },
      ],
    });
    expect(bucket.Properties).not.toHaveProperty("VersioningConfiguration");
  });

  test("is not public, and refuses requests without TLS", () => {
    expect(bucket.Properties["PublicAccessBlockConfiguration"]).toEqual({
      BlockPublicAcls: true,
      BlockPublicPolicy: true,
      IgnorePublicAcls: true,
      RestrictPublicBuckets: true,
    });
    expect(stack.at("prod/WorkLists/Policy").Properties["PolicyDocument"]).toMatchObject({
      Statement: [{ Effect: "Deny", Action: "s3:*", Condition: { Bool: { "aws:SecureTransport": "false" } } }],
    });
  });

  test("is deleted with the stack, by no function that empties it", () => {
    expect(bucket).toMatchObject({ DeletionPolicy: "Delete", UpdateReplacePolicy: "Delete" });
    expect(stack.ofType("Custom::S3AutoDeleteObjects")).toEqual([]);
  });

  test("is encrypted by S3, or by the key of the deployment", () => {
    expect(encryptionOf(stack)).toEqual({ ServerSideEncryptionByDefault: { SSEAlgorithm: "AES256" } });
    expect(encryptionOf(encrypted)).toEqual({
      BucketKeyEnabled: true,
      ServerSideEncryptionByDefault: { SSEAlgorithm: "aws:kms", KMSMasterKeyID: encryptionKeyArn },
    });
  });

  test.for([
    { handler: "poll", actions: ["kms:GenerateDataKey", "kms:Decrypt"], others: ["kms:Decrypt, kms:GenerateDataKey"] },
    { handler: "poll-batch", actions: ["kms:Decrypt"], others: [] },
    { handler: "collect-batches", actions: ["kms:Decrypt"], others: [] },
  ])("its key is used by $handler as far as needed", ({ handler, actions, others }) => {
    const statements = statementsOf(encrypted, encrypted.at(`prod/Functions/${handler}/Role`));
    // The poll also sends to the queue of dead letters, which has the same key.
    expect(statements.filter((one) => one.includes("kms:"))).toEqual(
      [...actions, ...others].map((action) => `Allow ${action} on ${encryptionKeyArn}`),
    );
  });
});

test("the machine and its bucket exist before the first poll", () => {
  expect(stack.at("prod/Schedule/Schedule").DependsOn?.join(" ")).toMatch(/PollFanOutMachine/);
});

test("an incomplete poll reports itself, and is not counted as broken too", () => {
  expect(stack.at("prod/PollFanOut/Machine/Broken").Properties).toMatchObject({
    FilterPattern: '{ $.type = "ExecutionFailed" && $.details.error != "PollIncomplete" }',
    MetricTransformations: [{ MetricNamespace: "Pawl/BrokenPolls", MetricName: "prod" }],
  });
});
