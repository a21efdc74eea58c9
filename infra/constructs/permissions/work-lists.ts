import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { IBucket } from "aws-cdk-lib/aws-s3";
import type { Construct } from "constructs";
import type { NameScope } from "../resource-names.ts";
import { wildcardId } from "./wildcard-id.ts";

/** What S3 does with the key of the bucket. */
const keyActions = { Put: "kms:GenerateDataKey", Get: "kms:Decrypt", Delete: null } as const;

/** Returns the statements to use the objects of a cluster's work lists, and the key that encrypts them. */
export function workListStatements(
  bucket: IBucket,
  cluster: NameScope,
  use: keyof typeof keyActions,
): readonly PolicyStatement[] {
  const [keyAction, key] = [keyActions[use], bucket.encryptionKey];
  return [
    new PolicyStatement({
      sid: `${use}WorkLists`,
      actions: [`s3:${use}Object`],
      resources: [objectArns(bucket, cluster)],
    }),
    ...(key === undefined || keyAction === null
      ? []
      : [new PolicyStatement({ sid: `${use}Encrypted`, actions: [keyAction], resources: [key.keyArn] })]),
  ];
}

/** Returns the acknowledgement of the wildcard above for cdk-nag. */
export function workListWildcard(
  scope: Construct,
  bucket: IBucket,
  cluster: NameScope,
): { id: string; reason: string } {
  return {
    id: wildcardId(scope, objectArns(bucket, cluster)),
    reason: "The work list of a poll has any number of objects. The bucket contains nothing else.",
  };
}

/** The functions write below the cluster's name. */
function objectArns(bucket: IBucket, { name }: NameScope): string {
  return bucket.arnForObjects(`${name}/*`);
}
