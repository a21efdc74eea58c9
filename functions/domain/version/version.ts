import { compare, parse } from "semver";

/** A version of semver.org, without its build metadata. */
export interface SemVer {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  readonly prerelease: readonly (string | number)[];
}

/** A version as Masterminds/semver v3 reads it. */
export interface Version {
  /** As written: the spelling in the registry and in lists of failed versions. */
  readonly original: string;
  readonly semver: SemVer;
  /** The number of parts written, of major, minor and patch. */
  readonly writtenParts: number;
}

const loose = /^v?\d+(?:\.\d+){0,2}(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;

/**
 * Parses a version loosely, by the rules of Masterminds/semver 3.4 `NewVersion`: a leading `v`, absent parts (`1.2` is
 * 1.2.0, `20240101` is a major version) and leading zeros are allowed. null if it is not a version, or if a number
 * exceeds 2^53 - 1, which npm semver cannot compare.
 */
export function parseVersion(text: string): Version | null {
  // Nearly every tag: an object of npm semver, which has ten fields and three texts, takes several times as long.
  const plain = parseCore(text);
  if (plain !== null) return { original: text, semver: plain, writtenParts: 3 };
  if (!loose.test(text)) return null;
  const rest = text.slice(text.search(/[-+]|$/));
  const numbers = text
    .slice(0, text.length - rest.length)
    .replace(/^v/, "")
    .split(".");
  const core = [...numbers, "0", "0"].slice(0, 3).map(stripLeadingZeros).join(".");
  const semver = parse(`${core}${rest}`);
  return semver === null ? null : { original: text, semver, writtenParts: numbers.length };
}

const none: SemVer["prerelease"] = [];
const [dot, zero, nine] = [0x2e, 0x30, 0x39];

/** Parses three numbers of at most 15 digits without leading zeros, without an object for each; null for any other text. */
function parseCore(text: string): SemVer | null {
  const parts: [number, number, number] = [0, 0, 0];
  let part = 0;
  let digits = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === dot) {
      if (digits === 0 || part === 2) return null;
      part += 1;
      digits = 0;
    } else {
      const hasLeadingZero = digits === 1 && parts[part] === 0;
      if (code < zero || code > nine || hasLeadingZero || digits === 15) return null;
      parts[part] = (parts[part] as number) * 10 + (code - zero);
      digits += 1;
    }
  }
  if (part !== 2 || digits === 0) return null;
  return { major: parts[0], minor: parts[1], patch: parts[2], prerelease: none };
}

/** Returns a negative number if `a` is lower, 0 if both are equal: build metadata and spelling do not count. */
export function compareVersions(a: Version, b: Version): number {
  return compareSemVer(a.semver, b.semver);
}

/** The same for versions without their spelling. */
export function compareSemVer(a: SemVer, b: SemVer): number {
  const order = a.major - b.major || a.minor - b.minor || a.patch - b.patch;
  return order || comparePrereleases(a.prerelease, b.prerelease);
}

/** A release is higher than its pre-releases. */
function comparePrereleases(a: SemVer["prerelease"], b: SemVer["prerelease"]): number {
  if (a.length === 0 || b.length === 0) return b.length - a.length;
  return compare(`0.0.0-${a.join(".")}`, `0.0.0-${b.join(".")}`);
}

/**
 * Returns the higher of two versions as written, `a` if they are equal. A text that is not a version is lower; null if
 * neither is one.
 */
export function higherVersion(a: string | null, b: string | null): string | null {
  const first = parseVersion(a ?? "");
  const second = parseVersion(b ?? "");
  if (first === null || second === null) return (first ?? second)?.original ?? null;
  return compareVersions(first, second) >= 0 ? a : b;
}

function stripLeadingZeros(digits: string): string {
  return digits.replace(/^0+(?=\d)/, "");
}
