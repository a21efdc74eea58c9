import { Stack } from "aws-cdk-lib";
import type { IConstruct } from "constructs";

/** Returns the id by which cdk-nag reports a resource with a wildcard: tokens are written as `<AWS::Region>` or `<Bucket.Arn>`. */
export function wildcardId(scope: IConstruct, arn: string): string {
  const resolved = Stack.of(scope).resolve(arn) as string | { readonly "Fn::Join": [string, Part[]] };
  const parts = typeof resolved === "string" ? [resolved] : resolved["Fn::Join"][1];
  return `AwsSolutions-IAM5[Resource::${parts.map(textOf).join("")}]`;
}

type Part = string | { readonly Ref: string } | { readonly "Fn::GetAtt": readonly string[] };

function textOf(part: Part): string {
  if (typeof part === "string") return part;
  return "Ref" in part ? `<${part.Ref}>` : `<${part["Fn::GetAtt"].join(".")}>`;
}
