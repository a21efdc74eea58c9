import { compareNumbers } from "./compare-tags.ts";
import type { Constraint } from "./constraint.ts";
import type { Tag, Versioning } from "./tag.ts";

/** How a version is written, apart from its value. */
interface Spelling {
  readonly hasV: boolean;
  /** How many parts are written. */
  readonly parts: number;
  /** A part has a leading zero, as in `24.04`. */
  readonly isPadded: boolean;
}

const canonical: Spelling = { hasV: false, parts: 3, isPadded: false };

function spellingOf({ original, writtenParts }: Tag): Spelling {
  return {
    hasV: original.startsWith("v"),
    parts: writtenParts,
    isPadded: /^(?:v?|v?\d+\.|v?\d+\.\d+\.)0\d/.test(original),
  };
}

/**
 * Returns the order of equal versions: first the variant of `current`, then the one with the highest numbers; first those written like
 * `current`, then those written canonically (`1.20.0` before `1.20`, which may move), then by their characters.
 */
export function createSpellingOrder(current: Tag | null): (a: Tag, b: Tag) => number {
  const preferred = current === null ? [canonical] : [spellingOf(current), canonical];
  return (a, b) => {
    const byVariant = a.variant === b.variant ? 0 : compareVariants(a.variant, b.variant, current?.variant ?? "");
    if (byVariant !== 0) return byVariant;
    const [one, other] = [spellingOf(a), spellingOf(b)];
    for (const like of preferred) {
      const order = compareLikeness(one, other, like);
      if (order !== 0) return order;
    }
    return other.parts - one.parts || (a.original < b.original ? -1 : 1);
  };
}

/** Numbers in variants have no order but this: of two that are allowed, `alpine3.20` is before `alpine3.9`. */
function compareVariants(a: string, b: string, running: string): number {
  if (a === running || b === running) return a === running ? -1 : 1;
  return compareNumbers(numbersIn(b), numbersIn(a), -1);
}

function numbersIn(variant: string): readonly number[] {
  return [...variant.matchAll(/\d+/g)].map(Number);
}

/** The `v` counts most: it is the same in all tags of most repositories. */
function compareLikeness(a: Spelling, b: Spelling, like: Spelling): number {
  const unlike = ({ hasV, parts, isPadded }: Spelling): number =>
    Number(hasV !== like.hasV) * 4 + Number(parts !== like.parts) * 2 + Number(isPadded !== like.isPadded);
  return unlike(a) - unlike(b);
}

/**
 * Returns whether a tag is a version and no commit hash. A tag of digits only (`20240101`, but also `4829103`) is a version if
 * the constraint or the running tag names a major version alone, which is at most one digit shorter.
 */
export function createDigitsFilter(
  constraint: Constraint,
  current: Tag | null,
  versioning: Versioning,
): (tag: Tag) => boolean {
  // A variant does not tell a commit hash from a version: `4829103-alpine`.
  const digits = versioning === "semver" ? /^\d+$/ : /^\d+/;
  const digitsOf = ({ original, writtenParts }: Tag) => (writtenParts === 1 ? digits.exec(original)?.[0] : undefined);
  const named = constraint.groups.flat().flatMap(({ base, wildcard }) => (wildcard === "minor" ? [base.major] : []));
  const majors = current !== null && digitsOf(current) !== undefined ? [...named, current.semver.major] : named;
  const maxLength = Math.max(0, ...majors.map((major) => String(major).length + 1));
  return (tag) => (digitsOf(tag)?.length ?? 0) <= maxLength;
}
