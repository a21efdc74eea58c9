import type { SemVer } from "semver";
import { parseVersion } from "./version.ts";

export type Operator = "=" | "!=" | ">" | "<" | ">=" | "<=" | "~" | "^";

/** One operator and one version of a constraint. */
export interface Comparator {
  readonly operator: Operator;
  /** The version, with 0 for what is left out or a wildcard. */
  readonly base: SemVer;
  /** The first part that is left out or written `x`, `X` or `*`. Numbers after it have no meaning. */
  readonly wildcard: "none" | "major" | "minor" | "patch";
}

const otherSpellings: Readonly<Record<string, Operator>> = { "": "=", "=>": ">=", "=<": "<=", "~>": "~" };

/** What may stand in a constraint as operator and as version; sources of regular expressions without capturing groups. */
export const operatorPattern = String.raw`=>|=<|>=|<=|!=|~>|=|>|<|~|\^`;
export const versionPattern =
  String.raw`v?[0-9xX*]+(?:\.[0-9xX*]+){0,2}` +
  String.raw`(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?`;

/** Builds a comparator of two texts that match the patterns above; null where the second is no version after all. */
export function parseComparator(operator: string, version: string): Comparator | null {
  const text = version.replace(/^v/, "").replace(/\+.*$/, "");
  const core = text.replace(/-.*$/, "");
  const parts = core.split(".");
  const wildcard = firstWildcard(parts);
  const numbers = parts.slice(0, ["major", "minor", "patch", "none"].indexOf(wildcard)).join(".");
  const base = parseVersion(`${numbers === "" ? "0" : numbers}${text.slice(core.length)}`);
  if (base === null) return null;
  return { operator: otherSpellings[operator] ?? (operator as Operator), base: base.semver, wildcard };
}

function firstWildcard([major, minor, patch]: readonly string[]): Comparator["wildcard"] {
  if (isWildcard(major)) return "major";
  if (isWildcard(minor)) return "minor";
  return isWildcard(patch) ? "patch" : "none";
}

function isWildcard(part: string | undefined): boolean {
  return part === undefined || /^[xX*]$/.test(part);
}
