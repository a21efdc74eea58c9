import { satisfiesComparator } from "./comparator.ts";
import { type Comparator, operatorPattern, parseComparator, versionPattern } from "./comparator.ts";
import { type ParseError, invalid } from "../text/parse-error.ts";
import type { Tag, Versioning } from "./tag.ts";

/** A version constraint in the grammar of Masterminds/semver v3.4. */
export interface Constraint {
  readonly kind: "constraint";
  readonly text: string;
  /** Nobody wrote it. */
  readonly isDefault: boolean;
  /** A version satisfies the constraint if it satisfies all comparators of one group. */
  readonly groups: readonly (readonly Comparator[])[];
}

/** Either a hyphen range (groups 1 and 2) or a comparator (3 and 4), up to a blank, a comma or the end. */
const item = new RegExp(
  String.raw`^(?:(${versionPattern})\s+-\s+(${versionPattern})|(${operatorPattern})?\s*(${versionPattern}))(?=[\s,]|$)`,
);

const syntaxHelp =
  "use versions such as 1.2.3, 1.2 or 1.x after =, !=, >, <, >=, <=, ~ or ^, with a comma for AND and || for OR";

/** Every release that is no pre-release. */
export const defaultConstraint = ">=0.0.0";

/**
 * Parses a constraint: `^1.0.0`, `>=1.1, <2 || 3.x`, `1.2 - 1.4`, `1.x-0`. An absent or empty one means `>=0.0.0`:
 * every version that is not a pre-release. `versioning` is that of the tags.
 */
export function parseConstraint(text: string | null, versioning: Versioning = "semver"): Constraint | ParseError {
  if (lastParsed?.text !== text || lastParsed.versioning !== versioning)
    lastParsed = { text, versioning, parsed: parseExpression(text?.trim() ?? "", versioning) };
  return lastParsed.parsed;
}

/** Most workloads of a cluster have the same constraint. */
let lastParsed: {
  readonly text: string | null;
  readonly versioning: Versioning;
  readonly parsed: Constraint | ParseError;
} | null = null;

function parseExpression(written: string, versioning: Versioning): Constraint | ParseError {
  const expression = written || defaultConstraint;
  const groups: Comparator[][] = [];
  for (const alternative of expression.split("||")) {
    const group = parseGroup(alternative.trim(), expression, versioning);
    if (!Array.isArray(group)) return group;
    groups.push(group);
  }
  return { kind: "constraint", text: expression, isDefault: written === "", groups };
}

/**
 * Reports whether a version satisfies the constraint. A pre-release does so only in a group that names a pre-release
 * itself, and there for any major, minor and patch.
 */
export function satisfies(constraint: Constraint, { semver }: Tag): boolean {
  const isRelease = semver.prerelease.length === 0;
  return constraint.groups.some(
    (group) =>
      (isRelease || hasPrerelease(group)) && group.every((comparator) => satisfiesComparator(semver, comparator)),
  );
}

/** Reports whether any pre-release can satisfy the constraint. */
export function allowsPrereleases(constraint: Constraint): boolean {
  return constraint.groups.some(hasPrerelease);
}

function hasPrerelease(group: readonly Comparator[]): boolean {
  return group.some(({ base }) => base.prerelease.length > 0);
}

function parseGroup(text: string, whole: string, versioning: Versioning): Comparator[] | ParseError {
  const group: Comparator[] = [];
  for (let rest = text; ;) {
    const read = parseItem(rest, versioning);
    if (read === null) return invalid(invalidPart(rest) || whole, `is not a version constraint: ${syntaxHelp}`);
    group.push(...read.comparators);
    if (read.rest === "") return group;
    rest = read.rest.replace(/^\s*,?\s*/, "");
  }
}

function parseItem(text: string, versioning: Versioning): { comparators: Comparator[]; rest: string } | null {
  const match = item.exec(text);
  if (match === null) return null;
  const [found, low, high, operator = "", version = ""] = match;
  const comparators =
    low !== undefined && high !== undefined
      ? [parseComparator(">=", low, versioning), parseComparator("<=", high, versioning)]
      : [parseComparator(operator, version, versioning)];
  return comparators.every((comparator) => comparator !== null)
    ? { comparators, rest: text.slice(found.length) }
    : null;
}

/** Returns the invalid part: an item, or an operator together with the word after it. */
function invalidPart(text: string): string {
  return item.exec(text)?.[0] ?? text.replace(/^([=!<>~^]*\s*[^\s,]*).*$/s, "$1");
}
