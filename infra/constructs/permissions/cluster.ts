import { ArnFormat, Stack } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import type { ClusterConfig } from "../../config/schema.ts";

/** Returns the statements to connect to a cluster, with distinct ids. The cluster's RBAC defines the rights in it. */
export function clusterStatements(
  scope: Construct,
  { access }: Pick<ClusterConfig, "access">,
  suffix = "",
): readonly PolicyStatement[] {
  if (access.kind === "kubeconfig") return [readSecretStatement(`Kubeconfig${suffix}`, access.secretArn)];
  if (access.assumeRoleArn !== null) {
    return [
      new PolicyStatement({
        sid: `AssumeRole${suffix}`,
        actions: ["sts:AssumeRole"],
        resources: [access.assumeRoleArn],
      }),
    ];
  }
  if (access.endpoint !== null && access.certificateAuthority !== null) return [];
  const arn = Stack.of(scope).formatArn({
    service: "eks",
    region: access.region,
    resource: "cluster",
    resourceName: access.clusterName,
    arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
  });
  return [new PolicyStatement({ sid: `FindCluster${suffix}`, actions: ["eks:DescribeCluster"], resources: [arn] })];
}

/** Returns the statement to read secrets by their complete ARNs. */
export function readSecretStatement(sid: string, ...arns: readonly string[]): PolicyStatement {
  return new PolicyStatement({ sid, actions: ["secretsmanager:GetSecretValue"], resources: [...arns] });
}
