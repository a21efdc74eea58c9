import type { Workload } from "../../functions/domain/workload/workload.ts";
import type { Cluster } from "../../functions/ports/cluster.ts";
import { describeSkipped, namespaceHint } from "../output/describe-skipped.ts";
import { printStderr } from "../output/print.ts";

interface Listed {
  readonly workloads: readonly Workload[];
  /** Why some are missing: kinds that may not be listed, and objects that are invalid. */
  readonly skipped: readonly Error[];
}

/** Lists every workload with Pawl enabled or an update in flight, and says what is missing. Throws the errors of the cluster. */
export async function listWorkloads(cluster: Pick<Cluster, "list">): Promise<readonly Workload[]> {
  const { workloads, skipped } = await listQuietly(cluster).catch((error: unknown) => {
    throw namespaceHint(error);
  });
  describeSkipped(skipped).forEach(printStderr);
  return workloads;
}

/** Lists workloads like `listWorkloads`, and returns what is missing. */
export async function listQuietly(cluster: Pick<Cluster, "list">): Promise<Listed> {
  const workloads: Workload[] = [];
  const skipped: Error[] = [];
  for await (const workload of cluster.list((error) => skipped.push(error))) workloads.push(workload);
  return { workloads, skipped };
}
