import { createAllowance } from "../budget/budget-exceeded.ts";
import { compareTags } from "./compare-tags.ts";
import { type Constraint, satisfies } from "./constraint.ts";
import { explainMajorOnly, explainNone, explainOtherForm } from "./explain-selection.ts";
import { parseTag } from "./parse-tag.ts";
import type { Tag, Versioning } from "./tag.ts";
import { formDifference, isMajorOnly, newestOfOtherForm, type TagForm } from "./tag-form.ts";
import { createTagFilter, type TagPattern } from "./tag-pattern.ts";
import { createDigitsFilter, createSpellingOrder } from "./tag-preference.ts";
import type { Variants } from "./variants.ts";

/** What follows a version that failed: nothing until there is a newer one, or the highest of the others. */
export type OnFailure = "hold" | "tryOlder";

export interface Candidates {
  /** All tags of the repository, in any order. */
  readonly tags: readonly string[];
  readonly versioning: Versioning;
  /** Parsed for the same versioning. */
  readonly constraint: Constraint;
  /** The version that a newer one replaces; null, and a tag that is not a version, is below everything. */
  readonly current: string | null;
  /** The running tag, whose form a newer one keeps; absent if it is `current`. */
  readonly running?: string | null;
  /** null and absent allow the variant of the running tag alone. */
  readonly variants?: Variants | null;
  /** Never selected. Compared as spelled: `v1.2.0` is not `1.2.0`. */
  readonly failed: readonly string[];
  /** Absent: "tryOlder". */
  readonly onFailure?: OnFailure;
  /** null and absent consider every tag. */
  readonly pattern?: TagPattern | null;
}

/** `newest` is the highest version that was found, also one that the constraint excludes or that has failed; null if there is none. */
type TagSelection = { readonly newest: string | null } & (
  | { readonly kind: "version"; readonly tag: string }
  /** `reason` is a sentence for users. "no-match": no tag comes into question at all. */
  | {
      readonly kind: "no-newer-version" | "no-match" | "newer-failed" | "variant-not-published" | "major-only";
      readonly reason: string;
    }
);

export type OnSteps = (steps: number) => void;
const uncounted: OnSteps = () => undefined;

/** In steps of the expressions of one workload: about 0.1 s of CPU time, so that no workload holds up others for longer. */
const maxSteps = 10_000_000;
const stepsOf = "steps of its tag pattern and version constraint for the tags of its repository; use a shorter pattern";

/**
 * Selects the highest version that satisfies the constraint, has the form of the running tag, has not failed and is newer than `current`;
 * returns its tag. With `onFailure: hold` it is also newer than every version that failed. The pattern, which costs most, comes last.
 * `onSteps` receives the steps of its expressions. Throws `BudgetExceeded`.
 */
export function selectTag(candidates: Candidates, onSteps: OnSteps = uncounted): TagSelection {
  const { tags, versioning, constraint, current, failed } = candidates;
  const { isMatch, isAllowed, form } = createRules(candidates, onSteps);
  const minimumVersion = parseTag(current ?? "", versioning);
  const isVersion = createDigitsFilter(constraint, minimumVersion, versioning);
  const bySpelling = createSpellingOrder(form.running);
  const isHigher = (a: Tag, b: Tag | null) => b === null || (compareTags(a, b) || bySpelling(b, a)) > 0;
  const isNewer = (tag: Tag) => minimumVersion === null || compareTags(tag, minimumVersion) > 0;
  const newestFailed = newestFailedVersion(candidates, form);
  const isOpen = (tag: Tag) =>
    newestFailed === null ? !failed.includes(tag.original) : compareTags(tag, newestFailed) > 0;
  let best: Tag | null = null;
  let newest: Tag | null = null;
  // The cheapest question first: most tags are lower than another one.
  for (const tag of parseTags(tags, versioning)) {
    const isBest = isHigher(tag, best) && isNewer(tag) && isOpen(tag);
    const isNewest = isHigher(tag, newest);
    if ((!isBest && !isNewest) || formDifference(tag, form) !== null || !isVersion(tag)) continue;
    const isAdmitted = isAllowed(tag);
    const becomesNewest = isNewest && (isAdmitted || tag.semver.prerelease.length === 0);
    if (!(isBest && isAdmitted) && !becomesNewest) continue;
    if (!isMatch(tag.original)) continue;
    if (isBest && isAdmitted) best = tag;
    if (becomesNewest) newest = tag;
  }
  const found = newest?.original ?? null;
  if (best !== null && isMajorOnly(form, constraint)) return { ...explainMajorOnly(best, form), newest: found };
  if (best !== null) return { kind: "version", tag: best.original, newest: found };
  const versions = parseTags(tags, versioning).filter(isVersion);
  const formed = versions.filter((tag) => formDifference(tag, form) === null);
  const admitted = formed.filter(isAllowed);
  const hasMatch = admitted.some(({ original }) => isMatch(original));
  const newer = admitted.filter((tag) => isNewer(tag) && isMatch(tag.original));
  // What matches no variant that its owner names is misspelt.
  const isOtherOpen = newer.length === 0 && (formed.length > 0 || form.variants === null);
  const other = isOtherOpen
    ? newestOfOtherForm(versions, form, (tag) => isAllowed(tag) && isMatch(tag.original))
    : null;
  if (other !== null) return { ...explainOtherForm(other, form), newest: other.original };
  const stages = { tags, versions, formed, admitted, hasMatch, newer };
  return { ...explainNone(stages, constraint, current, form, newestFailed), newest: found };
}

/** Returns the form that a candidate must have. A constraint that no tag of that length satisfies asks for another length. */
export function formOf(candidates: Candidates): TagForm {
  return createRules(candidates).form;
}

/** The rules of one selection, which share what they may cost. */
export function createRules(candidates: Candidates, onSteps: OnSteps = uncounted) {
  const { tags, versioning, constraint, current, running, variants = null, pattern } = candidates;
  const allowance = createAllowance(maxSteps, stepsOf, onSteps);
  const comparators = constraint.groups.reduce((count, group) => count + group.length, 0);
  const isMatch = createTagFilter(pattern, allowance);
  const isAllowed = (tag: Tag) => {
    allowance.spend(comparators);
    return satisfies(constraint, tag);
  };
  const form = { versioning, running: parseTag(running ?? current ?? "", versioning), variants, isAnyLength: false };
  if (versioning === "semver" || form.running === null || constraint.isDefault) return { isMatch, isAllowed, form };
  const isKept = (tag: Tag) => formDifference(tag, form) === null && isAllowed(tag) && isMatch(tag.original);
  return { isMatch, isAllowed, form: { ...form, isAnyLength: !parseTags(tags, versioning).some(isKept) } };
}

/**
 * Returns the highest version that failed, if only a newer one may follow it; null if older ones may. A version that is not above the
 * current one, or that the policy does not allow any more, holds nothing.
 */
export function newestFailedVersion(candidates: Candidates, form: TagForm): Tag | null {
  const { versioning, constraint, current, failed, onFailure, pattern } = candidates;
  if (onFailure !== "hold") return null;
  const minimumVersion = parseTag(current ?? "", versioning);
  const above = failed
    .filter((tag) => !pattern || pattern.expression.test(tag))
    .map((tag) => parseTag(tag, versioning))
    .filter((tag) => tag !== null)
    .filter((tag) => formDifference(tag, form) === null && satisfies(constraint, tag))
    .filter((tag) => minimumVersion === null || compareTags(tag, minimumVersion) > 0);
  return above.toSorted(compareTags).at(-1) ?? null;
}

interface Listing {
  readonly tags: readonly string[];
  readonly parsed: readonly Tag[];
}

/** The listing that was parsed last: all workloads of one repository are decided one after the other. */
const lastParsed: Partial<Record<Versioning, Listing>> = {};

export function parseTags(tags: readonly string[], versioning: Versioning): readonly Tag[] {
  const last = lastParsed[versioning];
  if (last?.tags === tags) return last.parsed;
  const parsed = tags.map((tag) => parseTag(tag, versioning)).filter((tag) => tag !== null);
  lastParsed[versioning] = { tags, parsed };
  return parsed;
}
