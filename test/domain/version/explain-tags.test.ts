import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type Constraint, parseConstraint } from "../../../functions/domain/version/constraint.ts";
import { explainTags } from "../../../functions/domain/version/explain-tags.ts";
import { selectTag } from "../../../functions/domain/version/select-tag.ts";
import { parseTagPattern } from "../../../functions/domain/version/tag-pattern.ts";

const constraint = parseConstraint("^1.0.0") as Constraint;

test("explains each tag by the first rule that excludes it, the highest version first", () => {
  const pattern = parseTagPattern("^[^x]*$");
  if (pattern.kind === "invalid") throw new Error(pattern.reason);
  const tags = ["1.0.0", "latest", "1.2.0", "2.0.0", "1.3.0", "1.4.0-x", "4829103", "sha-abc", "1.1.0"];
  const explained = explainTags({
    tags,
    constraint,
    current: "1.1.0",
    failed: ["1.3.0"],
    pattern,
    versioning: "semver",
  });
  expect(explained.map(({ tag, reason }) => [tag, reason])).toEqual([
    ["4829103", "digits alone may be a commit hash"],
    ["2.0.0", "does not satisfy ^1.0.0"],
    ["1.4.0-x", "does not match the tag pattern"],
    ["1.3.0", "has failed before"],
    ["1.2.0", null],
    ["1.1.0", "is not newer than 1.1.0"],
    ["1.0.0", "is not newer than 1.1.0"],
    ["latest", "is not a version"],
    ["sha-abc", "is not a version"],
  ]);
});

test("explains what a failure holds", () => {
  const tags = ["1.1.0", "1.2.0", "v1.2.0", "1.3.0"];
  const explained = explainTags({
    tags,
    versioning: "semver",
    constraint,
    current: "1.0.0",
    failed: ["1.2.0"],
    onFailure: "hold",
  });
  expect(explained.map(({ tag: one, reason }) => [one, reason])).toEqual([
    ["1.3.0", null],
    ["1.2.0", "has failed before"],
    ["v1.2.0", "is not newer than 1.2.0, which failed"],
    ["1.1.0", "is not newer than 1.2.0, which failed"],
  ]);
});

const tag = fc.constantFrom("1.0.0", "v1.2.0", "1.2", "1.3.0-rc.1", "2.0.0", "20240101", "latest", "01.2.0");

const rule = fc.constantFrom("hold" as const, "tryOlder" as const);

test("agrees with the selection", () => {
  fc.assert(
    fc.property(
      fc.array(tag),
      fc.option(tag, { nil: null }),
      fc.array(tag),
      rule,
      (tags, current, failed, onFailure) => {
        const candidates = { tags, versioning: "semver", constraint, current, failed, onFailure } as const;
        const open = explainTags(candidates).filter(({ reason }) => reason === null);
        const selected = selectTag(candidates);
        const tagsOfBoth = selected.kind === "version" ? [selected.tag, ...open.map((one) => one.tag)] : [];
        expect(open.length > 0).toBe(selected.kind === "version");
        expect(tagsOfBoth.slice(1).includes(tagsOfBoth[0] ?? "")).toBe(selected.kind === "version");
      },
    ),
  );
});
