import type { Workload } from "../../functions/domain/workload/workload.ts";
import type { Cluster } from "../../functions/ports/cluster.ts";
import { NotFound } from "../exit-codes.ts";
import { formatWorkloadName } from "./name.ts";

/** Reads a workload again. Throws `NotFound` if it was deleted. */
export async function readOrThrow(cluster: Pick<Cluster, "read">, { ref }: Workload): Promise<Workload> {
  const current = await cluster.read(ref);
  if (current === null) throw new NotFound(`${formatWorkloadName(ref)} has been deleted`);
  return current;
}
