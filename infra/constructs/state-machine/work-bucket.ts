import { Duration, RemovalPolicy, Validations } from "aws-cdk-lib";
import { BlockPublicAccess, Bucket, BucketEncryption, type IBucket } from "aws-cdk-lib/aws-s3";
import type { Construct } from "constructs";
import { importKey } from "../access/import-key.ts";

/** S3 rounds it up to midnight UTC: a poll that was killed leaves its work list for up to two days. */
const keptFor = Duration.days(1);

/**
 * Creates the bucket of a cluster's work lists: deleted after a day, encrypted with the key or one of S3, TLS only, without public access.
 * It is deleted with the stack if it is empty, as it is between two polls.
 */
export function createWorkBucket(scope: Construct, id: string, keyArn: string | null): IBucket {
  const bucket = new Bucket(scope, id, {
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    enforceSSL: true,
    lifecycleRules: [{ id: "expire", expiration: keptFor, abortIncompleteMultipartUploadAfter: keptFor }],
    removalPolicy: RemovalPolicy.DESTROY,
    ...(keyArn === null
      ? { encryption: BucketEncryption.S3_MANAGED }
      : { encryption: BucketEncryption.KMS, encryptionKey: importKey(scope, keyArn), bucketKeyEnabled: true }),
  });
  Validations.of(bucket).acknowledge({
    id: "AwsSolutions-S1",
    reason: "It holds the work lists of single polls for minutes, and only three functions have access.",
  });
  // The interfaces of the CDK are declared without exactOptionalPropertyTypes, so its classes need a cast.
  return bucket as IBucket;
}
