import type { NodePool } from "./types.ts";

type Ordered = readonly { readonly name: string; readonly spec: Pick<NodePool["spec"], "dependsOn"> }[];

/** The pools that a pool waits for in a circle, from itself to itself: `["workers", "infra", "workers"]`; null where there is none. */
export function cycleThrough(name: string, pools: Ordered): readonly string[] | null {
  const dependencies = new Map(pools.map((pool) => [pool.name, pool.spec.dependsOn]));
  const seen = new Set<string>();
  const search = (at: string, path: readonly string[]): readonly string[] | null => {
    for (const next of dependencies.get(at) ?? []) {
      if (next === name) return [...path, next];
      if (seen.has(next)) continue;
      seen.add(next);
      const found = search(next, [...path, next]);
      if (found !== null) return found;
    }
    return null;
  };
  return search(name, [name]);
}

/** The pools that have to come first and are not there yet, each in words. */
export function whatComesFirst({ spec }: NodePool, pools: readonly NodePool[]): readonly string[] {
  return spec.dependsOn.flatMap((name) => {
    const pool = pools.find((candidate) => candidate.name === name);
    if (pool === undefined) return [`${name}, which does not exist`];
    return isUpToDate(pool) ? [] : [`${name}, which is not up to date`];
  });
}

/** A condition that was written for an earlier spec says nothing of the present one. */
function isUpToDate({ generation, isBeingDeleted, status }: NodePool): boolean {
  if (isBeingDeleted || status.observedGeneration !== generation) return false;
  return status.conditions.some(({ type, status: value }) => type === "UpToDate" && value === "True");
}
