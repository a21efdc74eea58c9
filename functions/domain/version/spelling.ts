import type { Constraint } from "./constraint.ts";
import type { Version } from "./version.ts";

/** How a version is written, apart from its value. */
interface Spelling {
  readonly hasV: boolean;
  /** The number of parts written, of major, minor and patch. */
  readonly parts: number;
  /** A part has a leading zero, as in `24.04`. */
  readonly isPadded: boolean;
}

const canonical: Spelling = { hasV: false, parts: 3, isPadded: false };

function spellingOf({ original, writtenParts }: Version): Spelling {
  return {
    hasV: original.startsWith("v"),
    parts: writtenParts,
    isPadded: /^(?:v?|v?\d+\.|v?\d+\.\d+\.)0\d/.test(original),
  };
}

/**
 * Returns the order of equal versions: first those written like `current`, then those written canonically (`1.20.0` before
 * `1.20`, which may move), then by their characters.
 */
export function createSpellingOrder(current: Version | null): (a: Version, b: Version) => number {
  const preferred = current === null ? [canonical] : [spellingOf(current), canonical];
  return (a, b) => {
    const [one, other] = [spellingOf(a), spellingOf(b)];
    for (const like of preferred) {
      const order = compareLikeness(one, other, like);
      if (order !== 0) return order;
    }
    return other.parts - one.parts || (a.original < b.original ? -1 : 1);
  };
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
export function createDigitsFilter(constraint: Constraint, current: Version | null): (version: Version) => boolean {
  const named = constraint.groups.flat().flatMap(({ base, wildcard }) => (wildcard === "minor" ? [base.major] : []));
  const majors = current !== null && isDigitsOnly(current) ? [...named, current.semver.major] : named;
  const maxLength = Math.max(0, ...majors.map((major) => String(major).length + 1));
  return (version) => !isDigitsOnly(version) || version.original.length <= maxLength;
}

function isDigitsOnly({ original, writtenParts }: Version): boolean {
  return writtenParts === 1 && /^\d+$/.test(original);
}
