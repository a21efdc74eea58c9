import { parseCommaList } from "../../text/comma-list.ts";
import type { Digests, Manifests } from "./tracking.ts";

/** `algorithm:hex`, as a registry names a digest. */
const digest = /^[a-z0-9]+(?:[+._-][a-z0-9]+)*:[0-9a-fA-F]{32,}$/;

/**
 * Parses `name:digest,name:digest`, the form of `image-updater.eznix86.github.io/last-digest`; null if it is invalid.
 * Its first release wrote a digest alone: that belongs to the first tracked container, and is ignored if there is
 * none.
 */
export function parseDigests(text: string, firstContainer: string | null = null): Digests | null {
  if (digest.test(text.trim())) return firstContainer === null ? {} : { [firstContainer]: text.trim() };
  const entries = parseCommaList(text).map(parseEntry);
  return entries.every((entry) => entry !== null) ? Object.fromEntries(entries) : null;
}

function parseEntry(entry: string): readonly [string, string] | null {
  const colon = entry.indexOf(":");
  const [name, value] = [entry.slice(0, Math.max(0, colon)), entry.slice(colon + 1)];
  return name !== "" && digest.test(value) ? [name, value] : null;
}

/** Formats digests sorted by container; empty for none. */
export function formatDigests(digests: Digests): string {
  return Object.keys(digests)
    .sort()
    .map((name) => `${name}:${digests[name]}`)
    .join(",");
}

/** Formats manifests sorted by container, as digests: the name of a container once for each. */
export function formatManifests(manifests: Manifests): string {
  return Object.keys(manifests)
    .sort()
    .flatMap((name) => (manifests[name] as readonly string[]).map((one) => `${name}:${one}`))
    .join(",");
}

/** Parses what `formatManifests` returns, and skips what is invalid. */
export function parseManifests(text: string): Manifests {
  const manifests: Record<string, readonly string[]> = {};
  for (const entry of parseCommaList(text)) {
    const [name, one] = parseEntry(entry) ?? [];
    if (name !== undefined && one !== undefined) manifests[name] = [...(manifests[name] ?? []), one];
  }
  return manifests;
}

/** Reports whether both have the same containers with the same digests. */
export function isSameDigests(a: Digests, b: Digests): boolean {
  return formatDigests(a) === formatDigests(b);
}

/** Returns the containers whose digest differs or that are new. */
export function changedContainers(before: Digests, now: Digests): readonly string[] {
  return Object.keys(now).filter((name) => now[name] !== before[name]);
}
