import type { PlacedWorkload } from "./place-workload.ts";

/**
 * Returns workloads in the order in which they are processed: one repository of each namespace after the other, so that a namespace with
 * many repositories delays none with few. The workloads of one repository, which need one listing, stay adjacent.
 */
export function takeTurns(workloads: readonly PlacedWorkload[]): PlacedWorkload[] {
  const ordered = workloads.toSorted((one, other) => one.position - other.position);
  const repositories = new Map<string, Set<string>>();
  const rounds = new Map<PlacedWorkload, number>();
  for (const placed of ordered) {
    const { namespace } = placed.workload.ref;
    const known = repositories.get(namespace) ?? new Set<string>();
    repositories.set(namespace, known.add(placed.repository));
    rounds.set(placed, known.size);
  }
  return ordered.toSorted((one, other) => (rounds.get(one) ?? 0) - (rounds.get(other) ?? 0));
}
