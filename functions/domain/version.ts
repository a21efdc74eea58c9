import { parse, type SemVer } from "semver";

/** A version as Masterminds/semver v3 reads it. */
export interface Version {
  /** As it was written: what a registry knows and a list of failed versions names. */
  readonly original: string;
  readonly semver: SemVer;
  /** How many of major, minor and patch were written. */
  readonly writtenParts: number;
}

const strict = /^(?:0|[1-9]\d{0,14})(?:\.(?:0|[1-9]\d{0,14})){2}$/;
const loose = /^v?\d+(?:\.\d+){0,2}(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;

/**
 * Reads a version loosely, by the rules of Masterminds/semver 3.4 `NewVersion`: a `v` in front, parts left out (`1.2` is
 * 1.2.0, `20240101` is a major version) and leading zeros are fine. null where it is none, and where a number is above
 * 2^53 - 1, which npm semver cannot compare.
 */
export function parseVersion(text: string): Version | null {
  // Nearly every tag is written out: what is strict already needs no rewriting.
  const plain = strict.test(text) ? parse(text) : null;
  if (plain !== null) return { original: text, semver: plain, writtenParts: 3 };
  if (!loose.test(text)) return null;
  const rest = text.slice(text.search(/[-+]|$/));
  const numbers = text
    .slice(0, text.length - rest.length)
    .replace(/^v/, "")
    .split(".");
  const core = [...numbers, "0", "0"].slice(0, 3).map(withoutLeadingZeros).join(".");
  const semver = parse(`${core}${rest}`);
  return semver === null ? null : { original: text, semver, writtenParts: numbers.length };
}

/** Below 0 where `a` is the lower, 0 where neither is: build metadata and spelling do not count. */
export function compareVersions(a: Version, b: Version): number {
  return a.semver.compare(b.semver);
}

/** The higher of two texts as it is written, `a` where they are equal. What is no version loses; null where neither is one. */
export function higherVersion(a: string | null, b: string | null): string | null {
  const first = parseVersion(a ?? "");
  const second = parseVersion(b ?? "");
  if (first === null || second === null) return (first ?? second)?.original ?? null;
  return compareVersions(first, second) >= 0 ? a : b;
}

function withoutLeadingZeros(digits: string): string {
  return digits.replace(/^0+(?=\d)/, "");
}
