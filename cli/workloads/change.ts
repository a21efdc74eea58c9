import type { Change, Workload } from "../../functions/domain/workload.ts";
import type { Cluster } from "../../functions/ports/cluster.ts";
import { NotFound } from "../exit.ts";
import { formatWorkloadName } from "./name.ts";

const attempts = 5;

/**
 * Writes what `decide` wants; where somebody else was faster, reads the workload again and decides anew. Returns the
 * workload as it was before the change, or null where `decide` wanted none. Throws `NotFound` where it has gone
 * meanwhile, `Conflict` where somebody was faster every time, and what the cluster throws.
 */
export async function changeWorkload(
  cluster: Pick<Cluster, "read" | "change">,
  found: Workload,
  decide: (workload: Workload) => Change | null,
): Promise<Workload | null> {
  let workload: Workload | null = found;
  for (let attempt = 1; workload !== null; attempt += 1) {
    const change = decide(workload);
    if (change === null) return null;
    try {
      await cluster.change(workload, change);
      return workload;
    } catch (error) {
      if (attempt === attempts || (error as Error).name !== "Conflict") throw error;
      workload = await cluster.read(found.ref);
    }
  }
  throw new NotFound(`${formatWorkloadName(found.ref)} has been deleted`);
}
