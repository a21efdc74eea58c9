import { ArnFormat, Stack } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import { parseAddress } from "../../../functions/domain/analysis/address.ts";

/** Returns the statement to query the Amazon Managed Service for Prometheus workspaces among the addresses, if any. */
export function queryWorkspacesStatements(scope: Construct, addresses: readonly string[]): readonly PolicyStatement[] {
  const resources = addresses.flatMap((text) => {
    const address = parseAddress(text);
    return address.kind === "amp" ? [workspaceArn(scope, address)] : [];
  });
  if (resources.length === 0) return [];
  return [new PolicyStatement({ sid: "QueryWorkspaces", actions: ["aps:QueryMetrics"], resources })];
}

/** Returns the statement to query CloudWatch in these regions, if any. The action supports no resource-level permissions. */
export function queryCloudWatchStatements(regions: readonly string[]): readonly PolicyStatement[] {
  if (regions.length === 0) return [];
  return [
    new PolicyStatement({
      sid: "QueryCloudWatch",
      actions: ["cloudwatch:GetMetricData"],
      resources: ["*"],
      conditions: { StringEquals: { "aws:RequestedRegion": [...regions] } },
    }),
  ];
}

function workspaceArn(scope: Construct, { region, workspace }: { region: string; workspace: string }): string {
  const arnFormat = ArnFormat.SLASH_RESOURCE_NAME;
  return Stack.of(scope).formatArn({
    service: "aps",
    region,
    resource: "workspace",
    resourceName: workspace,
    arnFormat,
  });
}
