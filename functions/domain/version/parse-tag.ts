import { parseContainerTag } from "./container-tag.ts";
import { parseSemVerTag } from "./semver-tag.ts";
import type { Tag, Versioning } from "./tag.ts";

/** Parses a tag; null if it has no place in the order: a word, a commit hash, or a tag with one. */
export function parseTag(text: string, versioning: Versioning): Tag | null {
  return versioning === "semver" ? parseSemVerTag(text) : parseContainerTag(text);
}
