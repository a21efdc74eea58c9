import type { Change } from "../../functions/domain/workload/update/change.ts";
import type { Workload } from "../../functions/domain/workload/workload.ts";
import type { Cluster } from "../../functions/ports/cluster.ts";
import { retryOnConflict } from "../../functions/workflows/retry-on-conflict.ts";
import { connectCluster } from "../connect/cluster.ts";
import type { ClusterOptions } from "../options/cluster.ts";
import { findWorkload } from "./find.ts";
import { formatWorkloadName } from "./name.ts";
import { readOrThrow } from "./read.ts";

interface Changed {
  /** The workload's formatted name. */
  readonly workload: string;
  /** The workload before the change; null if there was none. */
  readonly before: Workload | null;
}

/** Finds the named workload and changes it. Throws the errors of finding and changing. */
export async function findAndChange(
  name: string,
  options: ClusterOptions,
  decide: (workload: Workload) => Change | null,
): Promise<Changed> {
  const open = await connectCluster(options);
  const found = await findWorkload(open, name);
  const before = await changeNamedWorkload(open.cluster, found, decide);
  return { workload: formatWorkloadName(found.ref), before };
}

/**
 * Writes the change that `decide` returns. If the workload was changed meanwhile, it is read and decided about again. Returns the
 * workload before the change, or null if there was nothing to change. Throws `NotFound` if the workload was deleted, and what
 * `retryOnConflict` throws.
 */
export async function changeNamedWorkload(
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
  return retryOnConflict({ attempts: 5, current: found, read: () => readOrThrow(cluster, found), write });
}
