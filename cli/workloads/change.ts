import type { Change, Workload } from "../../functions/domain/workload.ts";
import type { Cluster } from "../../functions/ports/cluster.ts";
import { againOnConflict } from "../again-on-conflict.ts";
import type { ClusterOptions } from "../reach/cluster-options.ts";
import { openCluster } from "../reach/cluster.ts";
import { findWorkload } from "./find.ts";
import { formatWorkloadName } from "./name.ts";

interface Changed {
  /** How it is called. */
  readonly workload: string;
  /** As it was before the change; null where none was wanted. */
  readonly before: Workload | null;
}

/** Finds what a person wrote in the cluster of these options, and changes it. Throws what finding and changing throw. */
export async function changeNamed(
  written: string,
  options: ClusterOptions,
  decide: (workload: Workload) => Change | null,
): Promise<Changed> {
  const open = await openCluster(options);
  const found = await findWorkload(open, written);
  const before = await changeWorkload(open.cluster, found, decide);
  return { workload: formatWorkloadName(found.ref), before };
}

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
