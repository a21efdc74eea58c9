import { compareSemVer } from "./compare-tags.ts";
import { parseSemVerTag } from "./semver-tag.ts";
import type { SemVer, Versioning } from "./tag.ts";

export type Operator = "=" | "!=" | ">" | "<" | ">=" | "<=" | "~" | "^";

/** One operator and one version of a constraint. */
export interface Comparator {
  readonly operator: Operator;
  /** The version, with 0 for each absent or wildcard part. */
  readonly base: SemVer;
  /** The first part that is absent or written `x`, `X` or `*`. Numbers after it have no meaning. */
  readonly wildcard: "none" | "major" | "minor" | "patch";
}

const operatorAliases: Readonly<Record<string, Operator>> = { "": "=", "=>": ">=", "=<": "<=", "~>": "~" };

/** The operators and versions of a constraint; sources of regular expressions without capturing groups. */
export const operatorPattern = String.raw`=>|=<|>=|<=|!=|~>|=|>|<|~|\^`;
export const versionPattern =
  String.raw`v?[0-9xX*]+(?:\.[0-9xX*]+){0,2}` +
  String.raw`(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?`;

/** Parses a comparator from two texts that match the patterns above; null if the second is not a version. */
export function parseComparator(operator: string, version: string, versioning: Versioning): Comparator | null {
  const [text = ""] = version.replace(/^v/, "").split("+", 1);
  const [core = ""] = text.split("-", 1);
  const parts = core.split(".");
  const wildcard = firstWildcard(parts);
  const numbers = parts.slice(0, ["major", "minor", "patch", "none"].indexOf(wildcard)).join(".");
  const parsed = parseSemVerTag(`${numbers === "" ? "0" : numbers}${text.slice(core.length)}`);
  if (parsed === null) return null;
  const base = versioning === "semver" ? parsed.semver : splitIdentifiers(parsed.semver);
  return { operator: operatorAliases[operator] ?? (operator as Operator), base, wildcard };
}

/** In a tag of an image `rc9` is a word and a number, so that it is lower than `rc10`. */
function splitIdentifiers(version: SemVer): SemVer {
  const texts = version.prerelease.flatMap((one) => [...String(one).matchAll(/\d+|\D+/g)].map(([text]) => text));
  return { ...version, prerelease: texts.map((text) => (/^\d/.test(text) ? Number(text) : text.toLowerCase())) };
}

function firstWildcard([major, minor, patch]: readonly string[]): Comparator["wildcard"] {
  if (isWildcard(major)) return "major";
  if (isWildcard(minor)) return "minor";
  return isWildcard(patch) ? "patch" : "none";
}

function isWildcard(part: string | undefined): boolean {
  return part === undefined || /^[xX*]$/.test(part);
}

type Check = (version: SemVer, comparator: Comparator) => boolean;

const checks: Readonly<Record<Operator, Check>> = {
  "=": equal,
  "!=": notEqual,
  ">": greaterThan,
  "<": (version, { base }) => compareSemVer(version, base) < 0,
  ">=": (version, { base }) => compareSemVer(version, base) >= 0,
  "<=": lessOrEqual,
  "~": tilde,
  "^": caret,
};

/**
 * Reports whether a version satisfies one comparator, by the rules of Masterminds/semver 3.4; the group handles
 * pre-releases.
 */
export function satisfiesComparator(version: SemVer, comparator: Comparator): boolean {
  return checks[comparator.operator](version, comparator);
}

/** With a wildcard `=1.2` means `~1.2`. */
function equal(version: SemVer, comparator: Comparator): boolean {
  return comparator.wildcard === "none" ? compareSemVer(version, comparator.base) === 0 : tilde(version, comparator);
}

/**
 * `!=1.2` excludes all of 1.2.x, and `!=1.2-rc` those of 1.2.x with the pre-release `-rc`. `!=*` excludes 0.0.0 alone.
 */
function notEqual(version: SemVer, { base, wildcard }: Comparator): boolean {
  if (wildcard === "minor") return version.major !== base.major;
  if (wildcard !== "patch") return compareSemVer(version, base) !== 0;
  return !isSameMinor(version, base) || version.prerelease.join(".") !== base.prerelease.join(".");
}

/** `>11` begins at 12.0.0, and `>11.1` at 11.2.0. */
function greaterThan(version: SemVer, { base, wildcard }: Comparator): boolean {
  if (wildcard === "minor") return version.major > base.major;
  if (wildcard !== "patch") return compareSemVer(version, base) > 0;
  return version.major > base.major || (version.major === base.major && version.minor > base.minor);
}

/** `<=11` ends with the last 11.x, and `<=11.1` with the last 11.1.x. */
function lessOrEqual(version: SemVer, { base, wildcard }: Comparator): boolean {
  if (wildcard === "none") return compareSemVer(version, base) <= 0;
  if (version.major !== base.major || wildcard === "minor") return version.major <= base.major;
  return version.minor <= base.minor;
}

/** `~1` is 1.x, `~1.2` and `~1.2.3` stay in 1.2.x. `~0.0.0` allows everything, as `*` does. */
function tilde(version: SemVer, { base, wildcard }: Comparator): boolean {
  if (compareSemVer(version, base) < 0) return false;
  if (isZero(base) && (wildcard === "none" || wildcard === "major")) return true;
  return wildcard === "minor" ? version.major === base.major : isSameMinor(version, base);
}

/**
 * Keeps the first part that is not 0: `^1.2.3` is below 2, `^0.2.3` below 0.3, `^0.0.3` is 0.0.3. `^*` allows 0.0.0
 * alone.
 */
function caret(version: SemVer, { base, wildcard }: Comparator): boolean {
  if (compareSemVer(version, base) < 0 || version.major !== base.major) return false;
  if (base.major > 0 || wildcard === "minor") return true;
  if (version.minor !== base.minor) return false;
  return base.minor > 0 || wildcard === "patch" || version.patch === base.patch;
}

function isSameMinor(a: SemVer, b: SemVer): boolean {
  return a.major === b.major && a.minor === b.minor;
}

function isZero({ major, minor, patch }: SemVer): boolean {
  return major === 0 && minor === 0 && patch === 0;
}
