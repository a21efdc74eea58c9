import { allowsPrereleases, type Constraint, defaultConstraint } from "./constraint.ts";
import type { Tag } from "./tag.ts";
import { describeDifference, type FormDifference, formDifference, type TagForm } from "./tag-form.ts";

/** Explains why a tag of one part is kept although a newer one exists. */
export function explainMajorOnly({ original }: Tag, { running }: TagForm) {
  const { original: current, semver } = running as Tag;
  const reason = `${original} is newer, but ${current} has one part, which changes only with a constraint, such as >=${semver.major}`;
  return { kind: "major-only", reason } as const;
}

/** Explains that something newer exists in another form only. */
export function explainOtherForm(other: Tag, form: TagForm) {
  const difference = formDifference(other, form) as FormDifference;
  const { original } = form.running as Tag;
  const reason = `${other.original} is newer than ${original}, but has ${describeDifference(other, form, difference)}`;
  return { kind: "variant-not-published", reason } as const;
}

export interface SelectionStages {
  readonly tags: readonly string[];
  readonly versions: readonly Tag[];
  readonly formed: readonly Tag[];
  readonly admitted: readonly Tag[];
  /** Whether one of these matches the tag pattern. */
  readonly hasMatch: boolean;
  readonly newer: readonly Tag[];
}

/** Names the stage that removed the last tags. Numbers of tags would change with each push. */
export function explainNone(
  stages: SelectionStages,
  constraint: Constraint,
  current: string | null,
  form: TagForm,
  newestFailed: Tag | null,
) {
  const { tags, versions, formed, admitted, hasMatch, newer } = stages;
  const { text } = constraint;
  const noMatch = (reason: string) => ({ kind: "no-match", reason }) as const;
  if (tags.length === 0) return noMatch("the repository has no tags");
  if (versions.length === 0) return noMatch(`no tag is a version${digitsHint(tags)}`);
  if (formed.length === 0 && form.variants !== null)
    return noMatch(`no version has a variant that matches ${form.variants.text}`);
  if (formed.length === 0 && form.running === null)
    return noMatch("every version has a prefix or a variant; set pawl.dev/variant, or run pawl push");
  if (admitted.length === 0 && formed.length > 0)
    return noMatch(`no version satisfies ${text}${prereleaseHint(constraint, formed)}`);
  if (admitted.length > 0 && !hasMatch) return noMatch("no tag matches the tag pattern");
  const allowed = text === defaultConstraint ? "release" : `version that satisfies ${text}`;
  if (newer.length === 0)
    return { kind: "no-newer-version", reason: `no ${allowed} is newer than ${current}` } as const;
  if (newestFailed !== null) return { kind: "newer-failed", reason: describeFailed(newestFailed) } as const;
  const failed = newer.map(({ original }) => original).join(", ");
  return { kind: "newer-failed", reason: `every newer ${allowed} has failed before: ${failed}` } as const;
}

/** Describes what a workload waits for after a version has failed. */
function describeFailed({ original }: Tag): string {
  return `${original} failed; waits for a version newer than ${original}`;
}

/** The most common surprise of semver: `1.2.3-alpine` is a pre-release. */
function prereleaseHint(constraint: Constraint, versions: readonly Tag[]): string {
  const isPuzzling = !allowsPrereleases(constraint) && versions.every(({ semver }) => semver.prerelease.length > 0);
  return isPuzzling ? ": all are pre-releases, which match only if the constraint names one, as in ^1.0.0-0" : "";
}

/** A tag such as `4829103` is a version for people who write `20240101`. */
function digitsHint(tags: readonly string[]): string {
  const isPuzzling = tags.some((tag) => /^\d+$/.test(tag));
  return isPuzzling
    ? ": digits alone may be a commit hash, unless the constraint has such a version, as in >=20240101"
    : "";
}
