import { type IKey, Key } from "aws-cdk-lib/aws-kms";
import type { Construct } from "constructs";

/** Imports a key whose policy the stack does not manage, once for each scope. */
export function importKey(scope: Construct, arn: string): IKey {
  const existing = scope.node.tryFindChild("EncryptionKey") as IKey | undefined;
  return existing ?? Key.fromKeyArn(scope, "EncryptionKey", arn);
}
