import { namesIn } from "./names-in.ts";
import type { Digests } from "./tracking.ts";

/** `algorithm:hex`, as a registry names a digest. */
const digest = /^[a-z0-9]+(?:[+._-][a-z0-9]+)*:[0-9a-fA-F]{32,}$/;

/**
 * Reads `name:digest,name:digest`, the form of `image-updater.eznix86.github.io/last-digest`; null where it is neither that nor
 * empty. A digest alone is what its first release wrote: it is that of the first container that is followed, and where none is
 * it says nothing.
 */
export function parseDigests(text: string, firstContainer: string | null = null): Digests | null {
  if (digest.test(text.trim())) return firstContainer === null ? {} : { [firstContainer]: text.trim() };
  const entries = namesIn(text).map(parseEntry);
  return entries.every((entry) => entry !== null) ? Object.fromEntries(entries) : null;
}

function parseEntry(entry: string): readonly [string, string] | null {
  const colon = entry.indexOf(":");
  const [name, value] = [entry.slice(0, Math.max(0, colon)), entry.slice(colon + 1)];
  return name !== "" && digest.test(value) ? [name, value] : null;
}

/** Sorted by container; empty for none. */
export function formatDigests(digests: Digests): string {
  return Object.keys(digests)
    .sort()
    .map((name) => `${name}:${digests[name]}`)
    .join(",");
}

/** Whether they are of the same containers, and the same for each. */
export function sameDigests(a: Digests, b: Digests): boolean {
  return formatDigests(a) === formatDigests(b);
}

/** Containers whose digest is another than before, or that were not there before. */
export function changedFrom(before: Digests, now: Digests): readonly string[] {
  return Object.keys(now).filter((name) => now[name] !== before[name]);
}
