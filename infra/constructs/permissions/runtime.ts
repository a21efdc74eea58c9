import { ArnFormat, Stack } from "aws-cdk-lib";
import { Effect, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { LogGroup } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";

/** Into the function's own log group, which the stack has made. */
export function writingLogs(logGroup: LogGroup): PolicyStatement {
  const actions = ["logs:CreateLogStream", "logs:PutLogEvents"];
  return new PolicyStatement({ sid: "Logs", actions, resources: [logGroup.logGroupArn] });
}

/** X-Ray knows no resources. */
export function tracing(): PolicyStatement {
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
 * The Lambda service joins the VPC in the name of the function's role and wants these on every resource; the function's
 * own code is denied them. https://docs.aws.amazon.com/lambda/latest/dg/configuration-vpc.html
 */
export function interfacesInVpc(scope: Construct, functionName: string): readonly PolicyStatement[] {
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
      sid: "NotByItsOwnCode",
      effect: Effect.DENY,
      actions: interfaceActions,
      resources: ["*"],
      conditions: { ArnEquals: { "lambda:SourceFunctionArn": arn } },
    }),
  ];
}
