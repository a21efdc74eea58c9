import { compareReleases } from "./compare-tags.ts";
import type { Constraint } from "./constraint.ts";
import type { Tag, Versioning } from "./tag.ts";
import { matchesVariant, type Variants } from "./variants.ts";

/** What a tag that replaces the running one has in common with it, apart from its version. */
export interface TagForm {
  readonly versioning: Versioning;
  /** null if a word such as `latest` runs, or nothing. */
  readonly running: Tag | null;
  /** null allows the variant of the running tag alone. */
  readonly variants: Variants | null;
  /** Allows another number of parts than the running tag has. */
  readonly isAnyLength: boolean;
}

export type FormDifference = "prefix" | "variant" | "parts";

/** Returns in what a tag differs from the form; null if it has it. A tag of semver has no form. */
export function formDifference(tag: Tag, form: TagForm): FormDifference | null {
  const { versioning, running, variants, isAnyLength } = form;
  if (versioning === "semver") return null;
  if (tag.prefix !== (running?.prefix ?? "")) return "prefix";
  const isAllowed =
    variants === null ? tag.variant === (running?.variant ?? "") : matchesVariant(variants, tag.variant);
  if (!isAllowed) return "variant";
  return isAnyLength || running === null || tag.writtenParts === running.writtenParts ? null : "parts";
}

/** Describes a difference for people: "variant alpine, not bookworm". */
export function describeDifference(tag: Tag, form: TagForm, difference: FormDifference): string {
  const { running, variants } = form;
  if (difference === "prefix") return `prefix ${tag.prefix || "none"}, not ${running?.prefix || "none"}`;
  if (difference === "parts") return `${countParts(tag.writtenParts)}, not ${running?.writtenParts}`;
  return `variant ${tag.variant || "none"}, not ${variants?.text ?? (running?.variant || "none")}`;
}

function countParts(count: number): string {
  return count === 1 ? "1 part" : `${count} parts`;
}

/** Reports whether a tag of one part may move only by a constraint: `17-jdk` names a major version that its owner chose. */
export function isMajorOnly({ versioning, running }: TagForm, constraint: Constraint): boolean {
  return versioning === "container" && running?.writtenParts === 1 && constraint.isDefault;
}

/**
 * Returns the highest version that is newer than the running one, but has another variant or number of parts; null if there is none. What
 * only refines the running tag is not newer: `1.25.3` is what `1.25` names.
 */
export function newestOfOtherForm(tags: readonly Tag[], form: TagForm, isAllowed: (tag: Tag) => boolean): Tag | null {
  const { running } = form;
  if (form.versioning === "semver" || running === null) return null;
  let newest: Tag | null = null;
  for (const tag of tags) {
    const isHigher = newest === null ? compareReleases(tag, running) > 0 : isPreferred(tag, newest);
    const isOther = isHigher && !isRefined(running, tag) && isUnlike(formDifference(tag, form));
    if (isOther && isAllowed(tag)) newest = tag;
  }
  return newest;
}

/** Of equal versions the one with the shortest variant is named: mostly the one without. */
function isPreferred(tag: Tag, other: Tag): boolean {
  const order = compareReleases(tag, other) || other.variant.length - tag.variant.length;
  return order === 0 ? tag.original < other.original : order > 0;
}

function isUnlike(difference: FormDifference | null): boolean {
  return difference === "variant" || difference === "parts";
}

function isRefined(running: Tag, tag: Tag): boolean {
  if (tag.writtenParts <= running.writtenParts) return false;
  const parts = ({ semver: { major, minor, patch }, moreParts }: Tag) => [major, minor, patch, ...moreParts];
  const refined = parts(tag);
  return parts(running)
    .slice(0, running.writtenParts)
    .every((part, index) => part === refined[index]);
}
