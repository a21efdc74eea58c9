import { compareTags } from "./compare-tags.ts";
import { satisfies } from "./constraint.ts";
import { type Candidates, formOf, newestFailedVersion } from "./select-tag.ts";
import { parseTag } from "./parse-tag.ts";
import type { Tag, Versioning } from "./tag.ts";
import { describeDifference, formDifference, isMajorOnly } from "./tag-form.ts";
import { createDigitsFilter } from "./tag-preference.ts";

/** A tag, and why `selectTag` passes over it; null if it may be selected. */
export interface ExplainedTag {
  readonly tag: string;
  readonly reason: string | null;
}

/** Explains each tag by the first rule of `selectTag` that excludes it. Versions come first, the highest before others. */
export function explainTags(candidates: Candidates): readonly ExplainedTag[] {
  const exclude = createExclusion(candidates);
  const explained = candidates.tags.map((text) => {
    const tag = parseTag(text, candidates.versioning);
    return { text, tag, reason: exclude(text, tag) };
  });
  const order = (one: Tag | null, other: Tag | null) =>
    one === null || other === null ? Number(one === null) - Number(other === null) : compareTags(other, one);
  return explained.toSorted((a, b) => order(a.tag, b.tag)).map(({ text, reason }) => ({ tag: text, reason }));
}

function createExclusion(candidates: Candidates): (text: string, tag: Tag | null) => string | null {
  const { constraint, current, failed, pattern, versioning } = candidates;
  const form = formOf(candidates);
  const newestFailed = newestFailedVersion(candidates, form);
  const minimum = parseTag(current ?? "", versioning);
  const isVersion = createDigitsFilter(constraint, minimum, versioning);
  return (text, tag) => {
    if (pattern && !pattern.expression.test(text)) return "does not match the tag pattern";
    if (tag === null) return isUnordered(text, versioning) ? "has no order among versions" : "is not a version";
    if (!isVersion(tag)) return "digits alone may be a commit hash";
    const difference = formDifference(tag, form);
    if (difference !== null) return describeDifference(tag, form, difference);
    if (!satisfies(constraint, tag)) return `does not satisfy ${constraint.text}`;
    if (minimum !== null && compareTags(tag, minimum) <= 0) return `is not newer than ${current}`;
    if (failed.includes(text)) return "has failed before";
    if (newestFailed !== null && compareTags(tag, newestFailed) <= 0)
      return `is not newer than ${newestFailed.original}, which failed`;
    return isMajorOnly(form, constraint) ? "one part, which changes only with a constraint" : null;
  };
}

/** A tag with a commit hash has a version, too. */
function isUnordered(text: string, versioning: Versioning): boolean {
  return versioning === "container" && /\d/.test(text);
}
