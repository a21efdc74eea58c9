import type { Workload } from "../../functions/domain/workload.ts";
import type { Cluster } from "../../functions/ports/cluster.ts";
import { NotFound, WrongInput } from "../exit.ts";
import { valid } from "../input/valid.ts";
import { listed } from "../output/listed.ts";
import { listWorkloads } from "./list.ts";
import { formatWorkloadName, parseWorkloadName, type WorkloadName } from "./name.ts";

/** Where to look, and the namespace that is meant where none is written. */
interface Place {
  readonly cluster: Pick<Cluster, "list">;
  readonly namespace: string;
}

/**
 * The one workload that has opted in and is meant by what a person wrote. Throws `WrongInput` where it cannot be read or
 * means several, `NotFound` where it means none, and what the cluster throws.
 */
export async function findWorkload({ cluster, namespace }: Place, written: string): Promise<Workload> {
  const readings = valid("workload", parseWorkloadName(written));
  const all = await listWorkloads(cluster);
  const found = all.filter((workload) => readings.some((reading) => isMeant(workload, reading, namespace)));
  const [only, ...others] = found;
  if (only === undefined) throw new NotFound(`no workload ${written} has opted in${hint(all, readings)}`);
  if (others.length > 0) throw new WrongInput(`${written} is ambiguous: write one of ${namesOf(found)}`);
  return only;
}

function isMeant({ ref }: Workload, reading: WorkloadName, defaultNamespace: string): boolean {
  const kind = ref.kind.toLowerCase();
  return (
    ref.name === reading.name &&
    ref.namespace === (reading.namespace ?? defaultNamespace) &&
    (reading.kind === null || reading.kind === kind)
  );
}

/** Of the same name, where there are such; otherwise all there are. */
function hint(all: readonly Workload[], readings: readonly WorkloadName[]): string {
  const namesakes = all.filter(({ ref }) => readings.some(({ name }) => name === ref.name));
  if (all.length === 0) return ": no workload at all has";
  return namesakes.length > 0 ? `: is it ${namesOf(namesakes)}?` : `; there are ${namesOf(all)}`;
}

function namesOf(workloads: readonly Workload[]): string {
  return listed(workloads.map(({ ref }) => formatWorkloadName(ref)));
}
