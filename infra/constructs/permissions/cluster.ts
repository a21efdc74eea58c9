import { ArnFormat, Stack } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import type { ClusterConfig } from "../../config-shape.ts";

/** What it takes to find the cluster. What may be done there is said by the cluster's own RBAC. */
export function reachingCluster(scope: Construct, { access }: ClusterConfig): readonly PolicyStatement[] {
  if (access.kind === "kubeconfig") return [readingSecret("Kubeconfig", access.secretArn)];
  if (access.assumeRoleArn !== null) {
    return [new PolicyStatement({ sid: "AssumeRole", actions: ["sts:AssumeRole"], resources: [access.assumeRoleArn] })];
  }
  if (access.endpoint !== null && access.certificateAuthority !== null) return [];
  const arn = Stack.of(scope).formatArn({
    service: "eks",
    region: access.region,
    resource: "cluster",
    resourceName: access.clusterName,
    arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
  });
  return [new PolicyStatement({ sid: "FindCluster", actions: ["eks:DescribeCluster"], resources: [arn] })];
}

/** A secret by its whole ARN. */
export function readingSecret(sid: string, arn: string): PolicyStatement {
  return new PolicyStatement({ sid, actions: ["secretsmanager:GetSecretValue"], resources: [arn] });
}
