import { compareTags } from "./compare-tags.ts";
import { parseTag } from "./parse-tag.ts";
import type { Versioning } from "./tag.ts";

/** Returns the highest versions of a listing, the highest first. */
export function newestTags(tags: readonly string[], versioning: Versioning, count: number): readonly string[] {
  const versions = tags.map((tag) => parseTag(tag, versioning)).filter((tag) => tag !== null);
  const isHash = /^\d{7,}$/;
  return versions
    .filter(({ original }) => !isHash.test(original))
    .toSorted((a, b) => compareTags(b, a) || (a.original < b.original ? -1 : 1))
    .slice(0, count)
    .map(({ original }) => original);
}
