import type { Cluster, EKSClient } from "@aws-sdk/client-eks";
import { withTimeouts } from "../../functions/adapters/aws/client.ts";
import { mapConcurrent } from "../../functions/workflows/map-concurrent.ts";
import type { ClusterConfig, EksAccess } from "../../infra/config/schema.ts";
import { groupsOf } from "../../infra/constructs/functions/function-specs.ts";
import { type Check, failed, nullOn, passed, unknown } from "./check.ts";
import type { DeployedFunction } from "./function-checks.ts";

/** Principals and the Kubernetes groups that they must have. */
interface RequiredEntry {
  readonly principalArn: string;
  readonly groups: readonly string[];
}

type Features = Pick<ClusterConfig, "jobMetrics">;

/** Returns the checks of a cluster of EKS. With `assumeRoleArn`, the role in the cluster's account needs the access entry. */
export function eksChecks(
  access: EksAccess,
  cluster: Features,
  read: () => Promise<readonly DeployedFunction[]>,
): readonly Check[] {
  const open = async () => {
    const { EKSClient: Client } = await import("@aws-sdk/client-eks");
    return new Client({ ...withTimeouts({ region: access.region }), maxAttempts: 2 });
  };
  return [authenticationModeCheck(access, open), accessEntriesCheck(access, cluster, open, read)];
}

function authenticationModeCheck({ clusterName, region }: EksAccess, open: () => Promise<EKSClient>): Check {
  return {
    name: "authentication mode",
    async run() {
      const { DescribeClusterCommand } = await import("@aws-sdk/client-eks");
      const client = await open();
      const { cluster } = await client.send(new DescribeClusterCommand({ name: clusterName }));
      const mode = (cluster satisfies Cluster | undefined)?.accessConfig?.authenticationMode;
      if (mode === "API" || mode === "API_AND_CONFIG_MAP") return passed(mode);
      const fix = `aws eks update-cluster-config --name ${clusterName} --region ${region} --access-config authenticationMode=API_AND_CONFIG_MAP`;
      return failed(`${mode ?? "unknown"}: the cluster has no access entries`, fix);
    },
  };
}

function accessEntriesCheck(
  access: EksAccess,
  cluster: Features,
  open: () => Promise<EKSClient>,
  read: () => Promise<readonly DeployedFunction[]>,
): Check {
  const { clusterName } = access;
  return {
    name: "access entries",
    async run() {
      const required = requiredEntries(access, cluster, await read());
      if (required.length === 0) return unknown("no function is deployed");
      const client = await open();
      const problems = await mapConcurrent(required, 5, (entry) => entryProblem(client, clusterName, entry));
      const found = problems.filter((problem) => problem !== null);
      if (found.length === 0) return passed(`${required.length} on ${clusterName}`);
      const fix =
        "deploy the stack in the region of the cluster, or create the entries of its output RequiredAccessEntries";
      return failed(found.join("; "), fix);
    },
  };
}

function requiredEntries(
  { assumeRoleArn }: EksAccess,
  cluster: Features,
  functions: readonly DeployedFunction[],
): readonly RequiredEntry[] {
  const entries = functions.flatMap(({ handler, deployed }) => {
    const groups = groupsOf(handler, cluster);
    return groups.length === 0 || deployed?.Role === undefined ? [] : [{ principalArn: deployed.Role, groups }];
  });
  if (assumeRoleArn === null || entries.length === 0) return entries;
  return [{ principalArn: assumeRoleArn, groups: [...new Set(entries.flatMap(({ groups }) => groups))] }];
}

async function entryProblem(
  client: EKSClient,
  clusterName: string,
  { principalArn, groups }: RequiredEntry,
): Promise<string | null> {
  const { DescribeAccessEntryCommand } = await import("@aws-sdk/client-eks");
  const command = new DescribeAccessEntryCommand({ clusterName, principalArn });
  const found = await nullOn(["ResourceNotFoundException"], client.send(command));
  const role = principalArn.split("/").at(-1);
  if (found === null) return `${role} has none`;
  const missing = groups.filter((group) => found.accessEntry?.kubernetesGroups?.includes(group) !== true);
  return missing.length === 0 ? null : `${role} lacks ${missing.join(", ")}`;
}
