import { compareTags } from "./compare-tags.ts";
import { type Candidates, createRules, type OnSteps, newestFailedVersion, parseTags } from "./select-tag.ts";
import { parseTag } from "./parse-tag.ts";
import { formDifference } from "./tag-form.ts";
import { createDigitsFilter, createSpellingOrder } from "./tag-preference.ts";

/** Returns all tags that may be selected, highest first: the first is what `selectTag` selects. Throws `BudgetExceeded`. */
export function newerTags(candidates: Candidates, onSteps?: OnSteps): readonly string[] {
  const { tags, versioning, constraint, current, failed } = candidates;
  const { isMatch, isAllowed, form } = createRules(candidates, onSteps);
  const minimumVersion = parseTag(current ?? "", versioning);
  const isVersion = createDigitsFilter(constraint, minimumVersion, versioning);
  const bySpelling = createSpellingOrder(form.running);
  const newestFailed = newestFailedVersion(candidates, form);
  return parseTags(tags, versioning)
    .filter((tag) => minimumVersion === null || compareTags(tag, minimumVersion) > 0)
    .filter((tag) => (newestFailed === null ? !failed.includes(tag.original) : compareTags(tag, newestFailed) > 0))
    .filter((tag) => formDifference(tag, form) === null && isVersion(tag) && isAllowed(tag) && isMatch(tag.original))
    .toSorted((a, b) => compareTags(b, a) || bySpelling(a, b))
    .map(({ original }) => original);
}
