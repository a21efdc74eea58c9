import { anyVersion, type Blocker, type Member } from "./start-facts.ts";

/**
 * Returns a function that finds what an update waits for: the members of earlier waves of its namespace, repository and version. Only its own
 * namespace counts, so that no tenant holds up another.
 */
export function wavesBefore(blockers: readonly Blocker[]): (one: Member) => readonly Blocker[] {
  const byVersion = Map.groupBy(blockers, keyOf);
  const firstWaves = new Map([...byVersion].map(([key, found]) => [key, Math.min(...wavesOf(found))]));
  const before = (key: string, { wave: own }: Member) =>
    (firstWaves.get(key) ?? own) < own
      ? (byVersion.get(key) as readonly Blocker[]).filter(({ wave }) => wave < own)
      : [];
  return (one) => [...before(keyOf(one), one), ...before(keyOf({ ...one, version: anyVersion }), one)];
}

function wavesOf(blockers: readonly Blocker[]): ReadonlySet<number> {
  return new Set(blockers.map(({ wave }) => wave));
}

function keyOf({ namespace, repository, version }: Member): string {
  return [namespace, repository, version].join(" ");
}
