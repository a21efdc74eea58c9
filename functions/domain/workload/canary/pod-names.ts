/** Regular expressions (RE2) that match the names of exactly the pods of each side, so that a query selects only these. */
interface PodMatchers {
  readonly stablePods: string;
  readonly canaryPods: string;
  readonly baselinePods?: string;
}

/** Arguments of queries. The names are revisions of a StatefulSet, or names of two objects. */
export interface CanaryNames extends Partial<PodMatchers> {
  readonly stable: string;
  readonly canary: string;
  /** What the canary is compared with, if not with the stable pods. */
  readonly baseline?: string;
  /** A label selector of the pods of the canary. */
  readonly canarySelector?: string;
}

/** A ReplicaSet is named after its Deployment and a hash, whose digits Kubernetes encodes in these letters. */
const hashLetter = "[4-9bcdf]";
const maxHashLength = 10;
/** Ends a generated name. What precedes it is cut to 58 characters. */
const randomSuffix = "[24-9b-df-hj-np-tv-xz]{5}";
const maxPrefixLength = 58;
/** The name of a canary must differ from a hash within the first 58 characters. */
const maxNameLength = 55;

/** Returns the matchers of a Deployment, its canary and the baseline of that; null if its name is too long to tell them apart. */
export function matchDeployments({ stable, canary, baseline }: CanaryNames): PodMatchers | null {
  if (stable.length > maxNameLength) return null;
  const baselinePods = baseline === undefined ? {} : { baselinePods: matchDeployment(baseline) };
  return { stablePods: matchDeployment(stable), canaryPods: matchDeployment(canary), ...baselinePods };
}

/** Returns the matchers of a StatefulSet whose ordinals from `partition` up run the canary. Without a partition, both match all. */
export function matchPartition(
  name: string,
  { start, partition, replicas }: { readonly start: number; readonly partition: number; readonly replicas: number },
): PodMatchers {
  const last = start + replicas - 1;
  return {
    stablePods: matchOrdinals(name, start, partition === 0 ? last : start + partition - 1),
    canaryPods: matchOrdinals(name, start + partition, last),
  };
}

/** Returns the matchers of a DaemonSet with a canary in these pods; without one (null), both match all. */
export function matchPods(
  name: string,
  pods: { readonly stable: readonly string[]; readonly canary: readonly string[] } | null,
): PodMatchers {
  const prefix = `${name}-`.slice(0, maxPrefixLength);
  const match = (names: readonly string[] | undefined) =>
    `^${escapeName(prefix)}${names === undefined ? randomSuffix : `(?:${names.map((one) => one.slice(prefix.length)).join("|")})`}$`;
  return { stablePods: match(pods?.stable), canaryPods: match(pods?.canary) };
}

/** Returns the matchers of two StatefulSets, whatever their sizes. */
export function matchStatefulSets(stable: string, canary: string): PodMatchers {
  return { stablePods: `^${escapeName(stable)}-[0-9]+$`, canaryPods: `^${escapeName(canary)}-[0-9]+$` };
}

function matchDeployment(name: string): string {
  const prefix = `${name}-`.slice(0, maxPrefixLength);
  const left = maxPrefixLength - prefix.length;
  return `^${escapeName(prefix)}${matchHash(left)}${randomSuffix}$`;
}

/** Matches a hash and the dash after it, cut to `length` characters. */
function matchHash(length: number): string {
  if (length > maxHashLength) return `${hashLetter}{1,${maxHashLength}}-`;
  if (length === 0) return "";
  return length === 1 ? hashLetter : `(?:${hashLetter}{1,${length - 1}}-|${hashLetter}{${length}})`;
}

function matchOrdinals(name: string, from: number, to: number): string {
  return `^${escapeName(name)}-(?:${matchIntegers(from, to).join("|")})$`;
}

/** Returns patterns that match the integers of a range: blocks of 1, 10, 100 … numbers that differ in their last digits only. */
function matchIntegers(from: number, to: number): readonly string[] {
  const patterns: string[] = [];
  let next = from;
  while (next <= to) {
    const size = blockSize(next, to);
    const digit = Math.floor(next / size) % 10;
    const blocks = Math.min(10 - digit, Math.floor((to - next + 1) / size));
    const leading = Math.floor(next / size / 10) || "";
    const digits = blocks === 1 ? digit : `[${digit}-${digit + blocks - 1}]`;
    patterns.push(`${leading}${digits}${"[0-9]".repeat(Math.log10(size))}`);
    next += blocks * size;
  }
  return patterns;
}

/** Returns the size of the largest block that begins at `next` and ends before `to` does. */
function blockSize(next: number, to: number): number {
  let size = 1;
  if (next === 0) return size;
  while (next % (size * 10) === 0 && next + size * 10 - 1 <= to) size *= 10;
  return size;
}

/** A name consists of lower-case letters, digits, `-` and `.`. A backslash would end a string of PromQL in the wrong place. */
function escapeName(name: string): string {
  return name.replaceAll(".", "[.]");
}
