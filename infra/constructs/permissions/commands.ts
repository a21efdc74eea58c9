import { ArnFormat, Stack } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import type { RunCommandConfig } from "../../config/schema.ts";

/**
 * Returns the statements to send the document to instances with the tag, and to read the results. SSM authorizes the
 * document and each instance separately. https://docs.aws.amazon.com/service-authorization/latest/reference/list_awssystemsmanager.html
 */
export function sendCommandStatements(
  scope: Construct,
  document: string,
  { instanceTag: { key, value } }: RunCommandConfig,
): readonly PolicyStatement[] {
  const arnFormat = ArnFormat.SLASH_RESOURCE_NAME;
  const arnOf = (service: string, resource: string, resourceName: string) =>
    Stack.of(scope).formatArn({ service, resource, resourceName, arnFormat });
  return [
    new PolicyStatement({
      sid: "SendDocument",
      actions: ["ssm:SendCommand"],
      resources: [arnOf("ssm", "document", document)],
    }),
    new PolicyStatement({
      sid: "CommandNodes",
      actions: ["ssm:SendCommand"],
      resources: [arnOf("ec2", "instance", "*")],
      conditions: { StringEquals: { [`ssm:resourceTag/${key}`]: value } },
    }),
    // Supports no resource-level permissions; read-only.
    new PolicyStatement({ sid: "ReadCommandResults", actions: ["ssm:GetCommandInvocation"], resources: ["*"] }),
  ];
}

/** The acknowledgement of the wildcard above for cdk-nag. */
export const instanceWildcard = {
  id: "AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:ec2:<AWS::Region>:<AWS::AccountId>:instance/*]",
  reason:
    "Nodes are created and deleted. Only instances with the configured tag can receive commands, and only this document.",
};
