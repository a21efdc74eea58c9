import type { EKSClient } from "@aws-sdk/client-eks";
import { ClusterNotDescribed } from "../../../ports/errors.ts";
import { mapAwsError } from "../map-error.ts";

/** A cluster's API server and its certificate authority (base64 PEM). */
export interface ClusterAddress {
  readonly endpoint: string;
  readonly certificateAuthority: string;
}

/** Returns a cluster's address from EKS. Throws `Throttled`, `Unreachable` or `ClusterNotDescribed`. */
export async function describeAddress(client: EKSClient, clusterName: string): Promise<ClusterAddress> {
  const { DescribeClusterCommand } = await import("@aws-sdk/client-eks");
  const operation = `DescribeCluster ${clusterName}`;
  const { cluster } = await client.send(new DescribeClusterCommand({ name: clusterName })).catch((error: unknown) => {
    throw mapEksError(mapAwsError(error, operation), operation);
  });
  const { endpoint, certificateAuthority, status } = cluster ?? {};
  if (endpoint !== undefined && certificateAuthority?.data !== undefined) {
    return { endpoint, certificateAuthority: certificateAuthority.data };
  }
  throw new ClusterNotDescribed(`${operation}: the cluster has no endpoint (it is ${status ?? "unknown"})`);
}

function mapEksError(error: unknown, operation: string): unknown {
  if (!(error instanceof Error) || error.name === "Throttled" || error.name === "Unreachable") return error;
  return new ClusterNotDescribed(`${operation}: ${error.name}: ${error.message}`, { cause: error });
}
