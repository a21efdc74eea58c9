import type { Change, Workload } from "../../functions/domain/workload.ts";
import type { Cluster } from "../../functions/ports/cluster.ts";
import { againOnConflict } from "../again-on-conflict.ts";
import { formatWorkloadName } from "./name.ts";

/**
 * Writes what `decide` wants; where somebody else was faster, reads the workload again and decides anew. Returns the
 * workload as it was before the change, or null where `decide` wanted none. Throws what `againOnConflict` throws.
 */
export async function changeWorkload(
  cluster: Pick<Cluster, "read" | "change">,
  found: Workload,
  decide: (workload: Workload) => Change | null,
): Promise<Workload | null> {
  const write = async (workload: Workload): Promise<Workload | null> => {
    const change = decide(workload);
    if (change === null) return null;
    await cluster.change(workload, change);
    return workload;
  };
  return againOnConflict(formatWorkloadName(found.ref), found, write, () => cluster.read(found.ref));
}
