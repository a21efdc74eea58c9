import { ArnFormat, Stack } from "aws-cdk-lib";
import { Effect, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { LogGroup } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";

/** Returns the statement to write to the function's own log group. */
export function writeLogsStatement(logGroup: LogGroup): PolicyStatement {
  const actions = ["logs:CreateLogStream", "logs:PutLogEvents"];
  return new PolicyStatement({ sid: "Logs", actions, resources: [logGroup.logGroupArn] });
}

/** Returns the statement to write traces. X-Ray supports no resource-level permissions. */
export function writeTracesStatement(): PolicyStatement {
  const actions = ["xray:PutTraceSegments", "xray:PutTelemetryRecords"];
  return new PolicyStatement({ sid: "Traces", actions, resources: ["*"] });
}

const interfaceActions = [
  "ec2:CreateNetworkInterface",
  "ec2:DescribeNetworkInterfaces",
  "ec2:DescribeSubnets",
  "ec2:DeleteNetworkInterface",
  "ec2:AssignPrivateIpAddresses",
  "ec2:UnassignPrivateIpAddresses",
];

/**
 * Returns the statements for network interfaces. The Lambda service needs them on all resources in the function's role;
 * the function's own code is denied them. https://docs.aws.amazon.com/lambda/latest/dg/configuration-vpc.html
 */
export function networkInterfaceStatements(scope: Construct, functionName: string): readonly PolicyStatement[] {
  const arnFormat = ArnFormat.COLON_RESOURCE_NAME;
  const arn = Stack.of(scope).formatArn({
    service: "lambda",
    resource: "function",
    resourceName: functionName,
    arnFormat,
  });
  return [
    new PolicyStatement({ sid: "JoinVpc", actions: interfaceActions, resources: ["*"] }),
    new PolicyStatement({
      sid: "DenyFunctionCode",
      effect: Effect.DENY,
      actions: interfaceActions,
      resources: ["*"],
      conditions: { ArnEquals: { "lambda:SourceFunctionArn": arn } },
    }),
  ];
}
