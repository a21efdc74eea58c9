import { ArnFormat, Stack } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import type { RunCommandConfig } from "../../config/schema.ts";
import { wildcardId } from "./wildcard-id.ts";

/**
 * Returns the statements to send the document to instances with the tag, and to read the results. SSM authorizes the
 * document and each instance separately. https://docs.aws.amazon.com/service-authorization/latest/reference/list_awssystemsmanager.html
 */
export function sendCommandStatements(
  scope: Construct,
  document: string,
  { instanceTag: { key, value } }: RunCommandConfig,
): readonly PolicyStatement[] {
  return [
    new PolicyStatement({
      sid: "SendDocument",
      actions: ["ssm:SendCommand"],
      resources: [slashArn(scope, "ssm", "document", document)],
    }),
    new PolicyStatement({
      sid: "CommandNodes",
      actions: ["ssm:SendCommand"],
      resources: [instanceArns(scope)],
      conditions: { StringEquals: { [`ssm:resourceTag/${key}`]: value } },
    }),
    // Supports no resource-level permissions; read-only.
    new PolicyStatement({ sid: "ReadCommandResults", actions: ["ssm:GetCommandInvocation"], resources: ["*"] }),
  ];
}

/** Returns the acknowledgement of the wildcard above for cdk-nag. */
export function instanceWildcard(scope: Construct): { id: string; reason: string } {
  return {
    id: wildcardId(scope, instanceArns(scope)),
    reason:
      "Nodes are created and deleted. Only instances with the configured tag can receive commands, and only this document.",
  };
}

function instanceArns(scope: Construct): string {
  return slashArn(scope, "ec2", "instance", "*");
}

function slashArn(scope: Construct, service: string, resource: string, resourceName: string): string {
  return Stack.of(scope).formatArn({ service, resource, resourceName, arnFormat: ArnFormat.SLASH_RESOURCE_NAME });
}
