import type { Workload } from "../../functions/domain/workload/workload.ts";
import type { Cluster } from "../../functions/ports/cluster.ts";
import { NotFound, InvalidInput } from "../exit-codes.ts";
import { validOrThrow } from "../input/parse.ts";
import { joinNames } from "../output/join-names.ts";
import { listWorkloads } from "./list.ts";
import { formatWorkloadName, parseWorkloadName, type WorkloadName } from "./name.ts";

/** The cluster, and the default namespace. */
interface Scope {
  readonly cluster: Pick<Cluster, "list">;
  readonly namespace: string;
}

/**
 * Finds the workload with Pawl enabled that matches a name. Throws `InvalidInput` if the name is invalid or ambiguous, `NotFound` if
 * there is no match, and the errors of the cluster.
 */
export async function findWorkload({ cluster, namespace }: Scope, name: string): Promise<Workload> {
  const readings = validOrThrow("workload", parseWorkloadName(name));
  const all = await listWorkloads(cluster);
  const matches = all.filter((workload) => readings.some((reading) => matchesName(workload, reading, namespace)));
  const [only, ...others] = matches;
  if (only === undefined) throw new NotFound(`no workload ${name} with Pawl enabled${suggestNames(all, readings)}`);
  if (others.length > 0) throw new InvalidInput(`${name} is ambiguous; use one of ${joinWorkloadNames(matches)}`);
  return only;
}

function matchesName({ ref }: Workload, reading: WorkloadName, defaultNamespace: string): boolean {
  const kind = ref.kind.toLowerCase();
  return (
    ref.name === reading.name &&
    ref.namespace === (reading.namespace ?? defaultNamespace) &&
    (reading.kind === null || reading.kind === kind)
  );
}

/** Suggests workloads of the same name, if there are any; otherwise lists all. */
function suggestNames(all: readonly Workload[], readings: readonly WorkloadName[]): string {
  const namesakes = all.filter(({ ref }) => readings.some((reading) => reading.name === ref.name));
  if (all.length === 0) return ": no workloads with Pawl enabled";
  return namesakes.length > 0
    ? `; did you mean ${joinWorkloadNames(namesakes)}?`
    : `; available: ${joinWorkloadNames(all)}`;
}

function joinWorkloadNames(workloads: readonly Workload[]): string {
  return joinNames(workloads.map(({ ref }) => formatWorkloadName(ref)));
}
