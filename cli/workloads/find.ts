import type { Workload } from "../../functions/domain/workload/workload.ts";
import type { Cluster } from "../../functions/ports/cluster.ts";
import { NotFound, InvalidInput } from "../exit-codes.ts";
import { validOrThrow } from "../input/parse.ts";
import { joinNames } from "../output/join-names.ts";
import { describeSkipped } from "../output/describe-skipped.ts";
import { printStderr } from "../output/print.ts";
import { listQuietly } from "./list.ts";
import { formatWorkloadName, isKind, parseWorkloadName, type WorkloadName } from "./name.ts";

/** The cluster, and the default namespace. */
interface Scope {
  readonly cluster: Pick<Cluster, "list">;
  readonly inNamespaces: (namespaces: readonly string[]) => Pick<Cluster, "list">;
  readonly namespace: string;
}

interface FindOptions {
  /** Whether a name without a namespace may be in any, if it is unique there: only for commands that change nothing. */
  readonly inAnyNamespace?: boolean;
}

/** Finds one workload like `findWorkloads`. */
export async function findWorkload(scope: Scope, name: string, options: FindOptions = {}): Promise<Workload> {
  const [found] = await findWorkloads(scope, [name], options);
  return found as Workload;
}

/**
 * Finds the workloads with Pawl enabled that match names. Lists only the namespaces of these names, and what the user must not list
 * is said only if a name has no match. Throws `InvalidInput` if a name is invalid or ambiguous, `NotFound` if there is no match, and the
 * errors of the cluster.
 */
export async function findWorkloads(
  scope: Scope,
  names: readonly string[],
  { inAnyNamespace = false }: FindOptions = {},
): Promise<readonly Workload[]> {
  const namespaces = names
    .flatMap((name) => validOrThrow("workload", parseWorkloadName(name)))
    .filter(({ kind }) => kind === null || isKind(kind))
    .map(({ namespace }) => namespace ?? scope.namespace);
  const { workloads, skipped } = await listQuietly(scope.inNamespaces([...new Set(namespaces)]));
  try {
    return names.map((name) => findIn(workloads, scope.namespace, name));
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    describeSkipped(skipped).forEach(printStderr);
    const everywhere = await listQuietly(scope.cluster).catch(() => ({ workloads }));
    return names.map((name) => {
      const unique = inAnyNamespace ? findUnique(everywhere.workloads, name) : null;
      return unique ?? findIn(everywhere.workloads, scope.namespace, name);
    });
  }
}

function findIn(all: readonly Workload[], namespace: string, name: string): Workload {
  const readings = validOrThrow("workload", parseWorkloadName(name));
  const matches = all.filter((workload) => readings.some((reading) => matchesName(workload, reading, namespace)));
  const [only, ...others] = matches;
  if (only === undefined) throw new NotFound(`no workload ${name} with Pawl enabled${suggestNames(all, readings)}`);
  if (others.length > 0) throw new InvalidInput(`${name} is ambiguous; use one of ${joinWorkloadNames(matches)}`);
  return only;
}

/** Returns the only workload of a name that no namespace is given for; null if there is none, or several. */
function findUnique(all: readonly Workload[], name: string): Workload | null {
  const readings = validOrThrow("workload", parseWorkloadName(name));
  const matches = all.filter((one) => readings.some((reading) => matchesName(one, reading, one.ref.namespace)));
  return matches.length === 1 ? (matches[0] ?? null) : null;
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
  if (all.length === 0) return "; the annotation pawl.dev/auto-update=true enables it";
  return namesakes.length > 0
    ? `; did you mean ${joinWorkloadNames(namesakes)}?`
    : `; available: ${joinWorkloadNames(all)}`;
}

function joinWorkloadNames(workloads: readonly Workload[]): string {
  return joinNames(workloads.map(({ ref }) => formatWorkloadName(ref)));
}
