import type { Cluster } from "@aws-sdk/client-eks";
import { withTimeouts } from "../../functions/adapters/aws/client.ts";
import type { EksConnection } from "./answers.ts";

/** What EKS says about a cluster, and what a deployment still needs. */
export type EksDescription =
  | { readonly kind: "unknown"; readonly reason: string }
  | {
      readonly kind: "described";
      readonly endpoint: string;
      readonly certificateAuthority: string;
      /** What the user has to do, in sentences. */
      readonly missing: readonly string[];
    };

/** Reads the address of a cluster from EKS with the credentials of this shell, which may be of another account. */
export async function describeEks({ clusterName, region, account }: EksConnection): Promise<EksDescription> {
  const { DescribeClusterCommand, EKSClient } = await import("@aws-sdk/client-eks");
  const client = new EKSClient({ ...withTimeouts({ region }), maxAttempts: 2 });
  try {
    const { cluster } = await client.send(new DescribeClusterCommand({ name: clusterName }));
    const { endpoint, certificateAuthority, arn = "" } = cluster ?? {};
    const found = arn.split(":")[4];
    if (account !== null && found !== account)
      return { kind: "unknown", reason: `the credentials are of the account ${found ?? "?"}, not of ${account}` };
    if (endpoint !== undefined && certificateAuthority?.data !== undefined)
      return {
        kind: "described",
        endpoint,
        certificateAuthority: certificateAuthority.data,
        missing: findMissing(cluster!),
      };
    return { kind: "unknown", reason: `EKS returned no endpoint: the cluster is ${cluster?.status ?? "unknown"}` };
  } catch (error) {
    const { name, message } = error as Error;
    return { kind: "unknown", reason: `${name}: ${message}` };
  } finally {
    client.destroy();
  }
}

function findMissing({ accessConfig, resourcesVpcConfig: vpc }: Cluster): readonly string[] {
  const missing: string[] = [];
  if (accessConfig?.authenticationMode === "CONFIG_MAP") missing.push(authenticationModeFix);
  if (vpc?.endpointPublicAccess === false) {
    const known = `vpcId ${vpc.vpcId ?? "?"}, subnetIds among ${vpc.subnetIds?.join(", ") ?? "?"}`;
    missing.push(
      `The endpoint is private: add "network" to the cluster (${known}, their availabilityZones, and a securityGroupId ` +
        `that ${vpc.clusterSecurityGroupId ?? "the security group of the cluster"} admits on port 443).`,
    );
  }
  return missing;
}

const authenticationModeFix =
  "The authentication mode of the cluster is CONFIG_MAP, without access entries: run " +
  '"aws eks update-cluster-config --name NAME --access-config authenticationMode=API_AND_CONFIG_MAP".';
