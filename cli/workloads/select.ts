import type { Workload } from "../../functions/domain/workload/workload.ts";
import type { OpenCluster } from "../connect/cluster.ts";
import { InvalidInput } from "../exit-codes.ts";
import type { ClusterOptions } from "../options/cluster.ts";
import { findWorkloads } from "./find.ts";
import { listWorkloads } from "./list.ts";

/** Returns the named workloads, which may be in any namespace if their name is unique, or without names all that the options select. Throws `InvalidInput` if both are given. */
export async function selectWorkloads(
  opened: OpenCluster,
  names: readonly string[],
  { selector }: Pick<ClusterOptions, "selector">,
): Promise<readonly Workload[]> {
  if (names.length === 0) return listWorkloads(opened.cluster);
  if (selector !== undefined) throw new InvalidInput("-l: names are given too; use one of the two");
  return findWorkloads(opened, names, { inAnyNamespace: true });
}

/** Says that there is no workload. */
export function noneSelected({ selector }: Pick<ClusterOptions, "selector">): string {
  return `no workloads with Pawl enabled${selector === undefined ? "" : ` and labels ${selector}`}`;
}
