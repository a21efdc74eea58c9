import type { Blocker, Member } from "./start-facts.ts";

/**
 * Returns a function that finds what an update waits for: the members of earlier waves of its namespace, repository and version. Only its own
 * namespace counts, so that no tenant holds up another.
 */
export function wavesBefore(blockers: readonly Blocker[]): (one: Member) => readonly Blocker[] {
  const byVersion = Map.groupBy(blockers, keyOf);
  const firstWaves = new Map([...byVersion].map(([key, found]) => [key, Math.min(...wavesOf(found))]));
  return (one) => {
    const key = keyOf(one);
    if ((firstWaves.get(key) ?? one.wave) >= one.wave) return [];
    return (byVersion.get(key) ?? []).filter(({ wave }) => wave < one.wave);
  };
}

function wavesOf(blockers: readonly Blocker[]): ReadonlySet<number> {
  return new Set(blockers.map(({ wave }) => wave));
}

function keyOf({ namespace, repository, version }: Member): string {
  return [namespace, repository, version].join(" ");
}
