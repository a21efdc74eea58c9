import { type IKey, Key } from "aws-cdk-lib/aws-kms";
import type { Construct } from "constructs";

/** Imports a key whose policy the stack does not manage. */
export function importKey(scope: Construct, arn: string): IKey {
  return Key.fromKeyArn(scope, "EncryptionKey", arn);
}
