import { hasCommitHash } from "./commit-hash.ts";
import { parsePlainTag } from "./semver-tag.ts";
import type { Tag } from "./tag.ts";
import { parseTagSuffix } from "./tag-suffix.ts";

/** https://github.com/opencontainers/distribution-spec/blob/main/spec.md#pulling-manifests */
const maxTagLength = 128;

/** Numbers with dots between them, `8u432` of Java, or a time: `2024-10-02T17-50-41Z`. */
const versionGrammar = /v?(\d{4}-\d\d-\d\d(?:T\d\d-\d\d-\d\dZ)?(?!\d)|\d+(?:[.u]\d+)*)/y;

/** A word of the prefix ends with a separator, so that `alpine3.20` is no version. */
const prefixWord = /[A-Za-z]+(?:[-_.]|\d[A-Za-z0-9]*[-_])/y;

/** What stands before a commit, or before the digest of a signature. */
const hashPrefix = /(?:^|[-_.])(?:sha\d*|git|commit|g|rev)[-_.]$/i;

/**
 * Parses a tag of the form `[prefix] version [pre-release] [revision] [variant] [revision]`; null if it has no order, as a word, a
 * commit hash, or a tag with one.
 */
export function parseContainerTag(text: string): Tag | null {
  const plain = parsePlainTag(text);
  if (plain !== null) return plain;
  const found = text.length > maxTagLength ? null : findVersion(text);
  if (found === null) return null;
  const { prefix, version, rest } = found;
  if (hashPrefix.test(prefix) || hasCommitHash(text)) return null;
  const parts = version.match(/\d+/g) as string[];
  const suffix = parts.some(({ length }) => length > 15) ? null : parseTagSuffix(rest, version.includes("u"));
  if (suffix === null) return null;
  const [major = 0, minor = 0, patch = 0, ...moreParts] = parts.map(Number);
  return {
    original: text,
    semver: { major, minor, patch, prerelease: suffix.prerelease },
    writtenParts: parts.length,
    moreParts,
    prefix,
    variant: suffix.variant,
    revision: suffix.revision,
  };
}

function findVersion(
  text: string,
): { readonly prefix: string; readonly version: string; readonly rest: string } | null {
  for (let at = 0; ; at = prefixWord.lastIndex) {
    versionGrammar.lastIndex = at;
    const [, version] = versionGrammar.exec(text) ?? [];
    if (version !== undefined)
      return { prefix: text.slice(0, at), version, rest: text.slice(versionGrammar.lastIndex) };
    prefixWord.lastIndex = at;
    if (!prefixWord.test(text)) return null;
  }
}
