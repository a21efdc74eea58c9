import { ArnFormat, Stack } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import type { RunCommandConfig } from "../../config-shape.ts";

/**
 * Sending the one document to instances that bear the tag, and asking what became of it. SSM checks the document and each
 * instance apart. https://docs.aws.amazon.com/service-authorization/latest/reference/list_awssystemsmanager.html
 */
export function commandingNodes(
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
    // It knows no resource, and only reads.
    new PolicyStatement({ sid: "FollowCommands", actions: ["ssm:GetCommandInvocation"], resources: ["*"] }),
  ];
}

/** What is said to the auditor about the wildcard above. */
export const instanceWildcard = {
  id: "AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:ec2:<AWS::Region>:<AWS::AccountId>:instance/*]",
  reason: "Nodes come and go. Only instances with the configured tag may be sent a command, and only the one document.",
};
