import { anyVersion, type Blocker, type Member } from "./start-facts.ts";

/**
 * Returns a function that finds what an update of `members` waits for: the members of earlier waves of its namespace, repository and version.
 * Only its own namespace counts, so that no tenant holds up another.
 */
export function wavesBefore(
  blockers: readonly Blocker[],
  members: readonly Member[],
): (one: Member) => readonly Blocker[] {
  const byVersion = new Map(members.flatMap((one) => keysOf(one).map((key) => [key, [] as Blocker[]])));
  const images = new Set(members.map(imageOf));
  for (const blocker of blockers) {
    const image = imageOf(blocker);
    if (images.has(image)) for (const version of blocker.versions) byVersion.get(`${image} ${version}`)?.push(blocker);
  }
  const firstWaves = new Map([...byVersion].map(([key, found]) => [key, Math.min(...wavesOf(found))]));
  const before = (key: string, own: number) =>
    (firstWaves.get(key) as number) < own ? (byVersion.get(key) as Blocker[]).filter(({ wave }) => wave < own) : [];
  return (one) => keysOf(one).flatMap((key) => before(key, one.wave));
}

function wavesOf(blockers: readonly Blocker[]): ReadonlySet<number> {
  return new Set(blockers.map(({ wave }) => wave));
}

/** Its own version is first: a member that may want any comes after those that want it. */
function keysOf(one: Member): readonly string[] {
  return [...new Set([one.version, anyVersion])].map((version) => `${imageOf(one)} ${version}`);
}

function imageOf({ namespace, repository }: Pick<Member, "namespace" | "repository">): string {
  return `${namespace} ${repository}`;
}
