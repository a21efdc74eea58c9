import { describe, expect, test } from "vitest";
import { tagCandidates, unknownVersionReason } from "../../../functions/domain/workload/decision/tag-candidates.ts";
import { explainTags } from "../../../functions/domain/version/explain-tags.ts";
import { selectTag } from "../../../functions/domain/version/select-tag.ts";
import { workload } from "../../support/workloads.ts";
import { officialImages, type SelectionCase } from "./selection-cases.ts";

function candidatesOf({ running, constraint, variant, published }: SelectionCase) {
  const policy = { versionConstraint: constraint ?? null, variant: variant ?? null };
  const subject = workload({ image: `app:${running}`, source: `app:${running}`, policy });
  const candidates = tagCandidates(subject, published.split(" "));
  if ("kind" in candidates) throw new Error(candidates.reason);
  return { subject, candidates };
}

function choose(one: SelectionCase): string {
  const { subject, candidates } = candidatesOf(one);
  if (unknownVersionReason(subject) !== null) return "unknown";
  const selection = selectTag(candidates);
  const reversed = selectTag({ ...candidates, tags: candidates.tags.toReversed() });
  expect(reversed, "the order of the listing does not matter").toEqual(selection);
  const open = explainTags(candidates).filter(({ reason }) => reason === null);
  expect(open.length > 0, "the explanation agrees").toBe(selection.kind === "version");
  return selection.kind === "version" ? selection.tag : selection.kind;
}

describe.for(Object.entries(officialImages))("%s", ([, cases]) => {
  test.for(cases)("$running, constraint $constraint, variant $variant, of $published: $chosen", (one) => {
    expect(choose(one)).toBe(one.chosen);
  });
});

test.for<SelectionCase & { readonly reasons: readonly (string | null)[] }>([
  {
    running: "1.25.3-bookworm",
    published: "1.26.0-alpine 1.26.0 1.26-bookworm 1.25.3-bookworm 1.26.1-bookworm release-1.27 latest 1.0.0-abc1234",
    chosen: "",
    reasons: [
      "release-1.27: prefix release-, not none",
      "1.26.1-bookworm: null",
      "1.26.0-alpine: variant alpine, not bookworm",
      "1.26.0: variant none, not bookworm",
      "1.26-bookworm: 2 parts, not 3",
      "1.25.3-bookworm: is not newer than 1.25.3-bookworm",
      "latest: is not a version",
      "1.0.0-abc1234: has no order among versions",
    ],
  },
  {
    running: "17",
    published: "18 18.1 release-18",
    chosen: "",
    reasons: [
      "18.1: 2 parts, not 1",
      "18: one part, which changes only with a constraint",
      "release-18: prefix release-, not none",
    ],
  },
  { running: "v-1", variant: "a*, b", published: "v-1.2-c", chosen: "", reasons: ["v-1.2-c: variant c, not a*, b"] },
  { running: "1.2", published: "1", chosen: "", reasons: ["1: digits alone may be a commit hash"] },
  { running: "1.2-x", published: "v3-x", chosen: "", reasons: ["v3-x: 1 part, not 2"] },
])("explains why each tag is passed over in place of $running", ({ reasons, ...one }) => {
  const { candidates } = candidatesOf(one);
  expect(explainTags(candidates).map(({ tag, reason }) => `${tag}: ${reason}`)).toEqual(reasons);
});

test.for<SelectionCase & { readonly reason: string }>([
  {
    running: "1.17.2-ent",
    published: "1.17.3",
    chosen: "",
    reason: "1.17.3 is newer than 1.17.2-ent, but has variant none, not ent",
  },
  { running: "2.0", published: "2.1.1", chosen: "", reason: "2.1.1 is newer than 2.0, but has 3 parts, not 2" },
  {
    running: "16-alpine",
    published: "17-alpine",
    chosen: "",
    reason: "17-alpine is newer, but 16-alpine has one part, which changes only with a constraint, such as >=16",
  },
  {
    running: "1.2.3-alpine",
    variant: "book*",
    published: "1.2.3",
    chosen: "",
    reason: "no version has a variant that matches book*",
  },
  { running: "1.2.3-alpine", published: "1.2.3", chosen: "", reason: "no release is newer than 1.2.3-alpine" },
  {
    running: "latest",
    constraint: "*",
    published: "1.2.3-alpine",
    chosen: "",
    reason: "every version has a prefix or a variant; set pawl.dev/variant, or run pawl push",
  },
])("says why nothing is chosen in place of $running: $reason", ({ reason, ...one }) => {
  const selection = selectTag(candidatesOf(one).candidates);
  expect(selection.kind === "version" ? null : selection.reason).toBe(reason);
});

test.for([
  { running: "1.17.2-ent", published: "1.17.3", newest: "1.17.3" },
  { running: "16-alpine", published: "16-alpine 17-alpine", newest: "17-alpine" },
  { running: "1.25-alpine", published: "1.25-alpine 1.25.3-alpine 1.26.0", newest: "1.26.0" },
  { running: "1.25-alpine", published: "1.25-alpine 1.25.3-alpine", newest: "1.25-alpine" },
])("names what was found beside $running of $published: $newest", ({ newest, ...one }) => {
  expect(selectTag(candidatesOf({ ...one, chosen: "" }).candidates).newest).toBe(newest);
});
