import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type Constraint, parseConstraint } from "../../../functions/domain/version/constraint.ts";
import { newerTags } from "../../../functions/domain/version/newer-tags.ts";
import { type Candidates, selectTag } from "../../../functions/domain/version/select-tag.ts";

function candidatesOf(parts: Partial<Candidates>): Candidates {
  const constraint = parseConstraint("^1.0.0") as Constraint;
  return { tags: [], versioning: "container", constraint, current: "1.0.0", failed: [], ...parts };
}

test.for<{ when: string; parts: Partial<Candidates>; tags: readonly string[] }>([
  { when: "all are newer", parts: { current: "0.9.0" }, tags: ["1.3.0", "1.2.0", "1.1.0", "1.0.0"] },
  { when: "some are newer", parts: { current: "1.1.0" }, tags: ["1.3.0", "1.2.0"] },
  { when: "the newest failed", parts: { failed: ["1.3.0"], onFailure: "hold" }, tags: [] },
  { when: "the newest failed, and older are tried", parts: { failed: ["1.3.0"] }, tags: ["1.2.0", "1.1.0"] },
])("the tags that may be selected, if $when", ({ parts, tags }) => {
  const listed = ["latest", "1.1.0", "1.2.0-alpine", "1.3.0", "1.0.0", "2.0.0", "1.2.0"];
  expect(newerTags(candidatesOf({ tags: listed, ...parts }))).toEqual(tags);
});

test("among equal versions the canonical spelling is first", () => {
  expect(newerTags(candidatesOf({ tags: ["v1.1.0", "1.1.0", "1.2.0"] }))).toEqual(["1.2.0", "1.1.0", "v1.1.0"]);
});

test("the first is always the one that is selected", () => {
  const tag = fc
    .tuple(
      fc.constantFrom("", "v"),
      fc.nat(2),
      fc.nat(3),
      fc.constantFrom("", ".0", ".1"),
      fc.constantFrom("", "-alpine", "-rc1"),
    )
    .map(([prefix, major, minor, patch, rest]) => `${prefix}${major}.${minor}${patch}${rest}`);
  const some = fc.record({
    tags: fc.uniqueArray(tag, { maxLength: 12 }),
    current: fc.option(tag),
    failed: fc.array(tag, { maxLength: 2 }),
    onFailure: fc.constantFrom("hold" as const, "tryOlder" as const),
    constraint: fc.constantFrom("", "^1", ">=1.2").map((text) => parseConstraint(text) as Constraint),
  });
  const property = fc.property(some, (parts) => {
    const all = newerTags(candidatesOf(parts));
    const selected = selectTag(candidatesOf(parts));
    return selected.kind === "major-only" || all[0] === (selected.kind === "version" ? selected.tag : undefined);
  });
  expect(fc.check(property)).toMatchObject({ failed: false });
});
