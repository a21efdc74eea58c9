import type { EKSClient } from "@aws-sdk/client-eks";
import { awsFailure } from "../aws-failure.ts";

/** Where a cluster's API server is, and the certificate authority that it is known by (base64 PEM). */
export interface ClusterAddress {
  readonly endpoint: string;
  readonly certificateAuthority: string;
}

/** EKS does not say where the cluster is: it is being made or deleted, or the role may not ask. */
class ClusterNotDescribed extends Error {
  override readonly name = "ClusterNotDescribed";
}

/** Asks EKS where a cluster is. Throws `Throttled`, `Unreachable` or `ClusterNotDescribed`. */
export async function describeAddress(client: EKSClient, clusterName: string): Promise<ClusterAddress> {
  const { DescribeClusterCommand } = await import("@aws-sdk/client-eks");
  const attempted = `DescribeCluster ${clusterName}`;
  const { cluster } = await client.send(new DescribeClusterCommand({ name: clusterName })).catch((error: unknown) => {
    throw notDescribed(awsFailure(error, attempted), attempted);
  });
  const { endpoint, certificateAuthority, status } = cluster ?? {};
  if (endpoint !== undefined && certificateAuthority?.data !== undefined) {
    return { endpoint, certificateAuthority: certificateAuthority.data };
  }
  throw new ClusterNotDescribed(`${attempted}: the cluster has no endpoint (it is ${status ?? "unknown"})`);
}

function notDescribed(failure: unknown, attempted: string): unknown {
  if (!(failure instanceof Error) || failure.name === "Throttled" || failure.name === "Unreachable") return failure;
  return new ClusterNotDescribed(`${attempted}: ${failure.name}: ${failure.message}`, { cause: failure });
}
