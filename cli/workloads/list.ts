import type { Workload } from "../../functions/domain/workload/workload.ts";
import { printStderr } from "../output/print.ts";
import type { Cluster } from "../../functions/ports/cluster.ts";

/** Lists every workload with Pawl enabled or an update in flight. Throws the errors of the cluster. */
export async function listWorkloads(cluster: Pick<Cluster, "list">): Promise<readonly Workload[]> {
  const all: Workload[] = [];
  for await (const workload of cluster.list(({ message }) => printStderr(message))) all.push(workload);
  return all;
}
