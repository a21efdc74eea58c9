import type { Workload } from "../../functions/domain/workload.ts";
import { say } from "../output/say.ts";
import type { Cluster } from "../../functions/ports/cluster.ts";

/** Every workload that has opted in or has an update in flight. Throws what the cluster throws. */
export async function listWorkloads(cluster: Pick<Cluster, "list">): Promise<readonly Workload[]> {
  const all: Workload[] = [];
  for await (const workload of cluster.list(({ message }) => say(message))) all.push(workload);
  return all;
}
