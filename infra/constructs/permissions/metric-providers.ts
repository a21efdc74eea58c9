import { ArnFormat, Stack } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import { parseAddress } from "../../../functions/domain/analysis/providers/prometheus-address.ts";
import { type QueryKind, queryKinds, queryProviders } from "../../../functions/domain/analysis/providers/providers.ts";
import { addressesWithLogins } from "../../config/metric-providers.ts";
import type { ClusterConfig } from "../../config/schema.ts";
import { readSecretStatement } from "./cluster.ts";

type CreateStatements = (scope: Construct, addresses: readonly string[]) => readonly PolicyStatement[];

/** The statements to query providers of AWS. */
const statements: Readonly<Partial<Record<QueryKind, CreateStatements>>> = {
  prometheus: queryWorkspaces,
  cloudwatch: queryCloudWatch,
};

/** Returns the statements to query the metric providers of a cluster, and to read their logins. */
export function queryMetricsStatements(scope: Construct, cluster: ClusterConfig): readonly PolicyStatement[] {
  const secrets = new Set(addressesWithLogins(cluster).map(({ secretArn }) => secretArn));
  return [
    ...queryKinds.flatMap((kind) => {
      const addresses = cluster[queryProviders[kind].setting.name].map(({ address }) => address);
      return addresses.length === 0 ? [] : (statements[kind]?.(scope, addresses) ?? []);
    }),
    ...(secrets.size === 0 ? [] : [readSecretStatement("MetricLogins", ...secrets)]),
  ];
}

/** Workspaces of Amazon Managed Service for Prometheus. */
function queryWorkspaces(scope: Construct, addresses: readonly string[]): readonly PolicyStatement[] {
  const resources = addresses.flatMap((text) => {
    const address = parseAddress(text);
    return address.kind === "amp" ? [workspaceArn(scope, address)] : [];
  });
  if (resources.length === 0) return [];
  return [new PolicyStatement({ sid: "QueryWorkspaces", actions: ["aps:QueryMetrics"], resources })];
}

/** The action supports no resource-level permissions. */
function queryCloudWatch(_: Construct, regions: readonly string[]): readonly PolicyStatement[] {
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
