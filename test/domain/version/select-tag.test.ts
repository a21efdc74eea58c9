import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Constraint, parseConstraint, satisfies } from "../../../functions/domain/version/constraint.ts";
import { type Candidates, type OnFailure, selectTag } from "../../../functions/domain/version/select-tag.ts";
import { parseTagPattern, type TagPattern } from "../../../functions/domain/version/tag-pattern.ts";
import { compareTags } from "../../../functions/domain/version/compare-tags.ts";
import { parseSemVerTag } from "../../../functions/domain/version/semver-tag.ts";

const released = ["1.0.0", "1.1.0", "1.2.0", "2.0.0", "latest", "sha-abc"];

interface Case {
  readonly tags?: readonly string[];
  readonly constraint?: string;
  readonly current?: string | null;
  readonly failed?: readonly string[];
  readonly onFailure?: OnFailure;
  readonly pattern?: string;
}

function select({
  tags = released,
  constraint = "^1.0.0",
  current = null,
  failed = [],
  onFailure = "tryOlder",
  pattern,
}: Case) {
  const parsed = parseConstraint(constraint);
  const tagPattern = pattern === undefined ? null : parseTagPattern(pattern);
  if (parsed.kind === "invalid") throw new Error(parsed.reason);
  if (tagPattern?.kind === "invalid") throw new Error(tagPattern.reason);
  return withoutNewest({
    versioning: "semver",
    tags,
    constraint: parsed,
    current,
    failed,
    onFailure,
    pattern: tagPattern,
  });
}

function withoutNewest(candidates: Candidates) {
  const { newest: _newest, ...selection } = selectTag(candidates);
  return selection;
}

describe("selects the highest newer version within the constraint", () => {
  test.for<Case & { when: string; tag: string }>([
    { when: "the current version is within it", current: "1.0.0", tag: "1.2.0" },
    { when: "the highest has failed", current: "1.0.0", failed: ["1.2.0"], tag: "1.1.0" },
    { when: "the current version is below it", current: "0.9.0", tag: "1.2.0" },
    { when: "it requires the next major", constraint: "^2.0.0", current: "1.0.0", tag: "2.0.0" },
    { when: "no running version is known", tag: "1.2.0" },
    { when: "the running tag is not a version", current: "latest", tag: "1.2.0" },
    { when: "there is no constraint", constraint: "", current: "1.2.0", tag: "2.0.0" },
    { when: "the tag has a v", tags: ["v1.0.0", "v1.1.0"], current: "1.0.0", tag: "v1.1.0" },
    { when: "the tag is partial", tags: ["1.2"], current: "1.1.9", tag: "1.2" },
    { when: "the failed version is spelled differently", tags: ["v1.2.0"], failed: ["1.2.0"], tag: "v1.2.0" },
    { when: "versions are compared as numbers", tags: ["1.9.0", "1.10.0"], tag: "1.10.0" },
    { when: "pre-releases are excluded", tags: ["1.1.0", "1.2.0-rc.1", "1.2.0-alpine"], tag: "1.1.0" },
    { when: "pre-releases are allowed", tags: ["1.1.0", "1.2.0-rc.1"], constraint: "^1.0.0-0", tag: "1.2.0-rc.1" },
    {
      when: "the pattern matches",
      tags: ["1.1.0-alpine", "1.2.0-debian"],
      constraint: "*-0",
      pattern: "-alpine$",
      tag: "1.1.0-alpine",
    },
  ])("$when: $tag", ({ tag, ...candidates }) => {
    expect(select(candidates)).toEqual({ kind: "version", tag });
  });
});

describe("after a failure waits for a version that is newer than every one that failed", () => {
  test.for<{ failed: readonly string[]; current?: string; constraint?: string; pattern?: string; found: string }>([
    { failed: ["1.2.0"], found: "1.2.0 failed; waits for a version newer than 1.2.0" },
    { failed: ["1.1.5"], found: "1.2.0" },
    { failed: ["1.5.0", "1.1.0"], found: "1.5.0 failed; waits for a version newer than 1.5.0" },
    // Equal, but spelled differently.
    { failed: ["v1.2.0"], found: "v1.2.0 failed; waits for a version newer than v1.2.0" },
    // What the owner allows no more, and what is not above the running version, holds nothing.
    { failed: ["2.0.0"], found: "1.2.0" },
    { failed: ["1.3.0"], pattern: "^1[.][^3]", found: "1.2.0" },
    { failed: ["0.9.0", "1.0.0"], current: "1.0.0", found: "1.2.0" },
    { failed: ["1.2.0"], current: "1.2.0", found: "no version that satisfies ^1.0.0 is newer than 1.2.0" },
    {
      failed: ["1.3.0-rc.1"],
      constraint: "^1.0.0-0",
      found: "1.3.0-rc.1 failed; waits for a version newer than 1.3.0-rc.1",
    },
    { failed: ["latest"], found: "1.2.0" },
  ])("$failed failed, $current runs, $constraint $pattern: $found", ({ found, ...candidates }) => {
    const selected = select({ ...candidates, onFailure: "hold" });
    expect(selected.kind === "version" ? selected.tag : selected.reason).toBe(found);
  });
});

describe("of equal versions selects the complete one, in any order", () => {
  test.for([
    { tags: ["1.20", "1.20.0"], tag: "1.20.0" },
    { tags: ["1", "v1.0", "v1.0.0", "1.0.0"], tag: "1.0.0" },
    { tags: ["1.0.0+b", "1.0.0+a", "1.0.0+a"], tag: "1.0.0+a" },
  ])("$tags: $tag", ({ tags, tag }) => {
    expect(select({ tags })).toEqual({ kind: "version", tag });
    expect(select({ tags: tags.toReversed() })).toEqual({ kind: "version", tag });
  });

  test.for([
    { current: null, tags: ["01.2.0", "1.2.0", "v1.2"], tag: "1.2.0" },
    { current: "1.1.0", tags: ["01.2.0", "1.2.0", "v1.2"], tag: "1.2.0" },
    { current: "v1.1", tags: ["01.2.0", "1.2.0", "v1.2", "v1.2.0"], tag: "v1.2" },
    { current: "v1.1.0", tags: ["1.2.0", "v1.2"], tag: "v1.2" },
    { current: "v1.1.9", tags: ["1.2.0", "v1.2", "v1.2.0"], tag: "v1.2.0" },
    { current: "1.1", tags: ["1.2.0", "1.2", "v1.2"], tag: "1.2" },
    { current: "1.01.0", tags: ["1.2.0", "1.02.0", "v1.2"], tag: "1.02.0" },
    { current: "1.1.01", tags: ["1.2.0", "1.2.00"], tag: "1.2.00" },
    { current: "1", tags: ["1.2", "01.2.0", "1.2.0"], tag: "1.2.0" },
    { current: "latest", tags: ["v1.2", "1.2.0"], tag: "1.2.0" },
    { current: "1.1.0", tags: ["1.2", "01.2"], tag: "1.2" },
    { current: "1.1.0", tags: ["v1.2.0", "v1.2.0+b"], tag: "v1.2.0" },
  ])("after $current, of $tags the one written like it: $tag", ({ tags, current, tag }) => {
    expect(select({ tags, current })).toEqual({ kind: "version", tag });
    expect(select({ tags: tags.toReversed(), current })).toEqual({ kind: "version", tag });
  });

  test.for(["1.20", "1.20.0", "v1.20.0"])("and none if %s is running", (current) => {
    expect(select({ tags: ["1.20", "1.20.0", "v1.20.0", "1.20.0+build"], current }).kind).toBe("no-newer-version");
  });
});

describe("a tag of digits only may be a commit hash", () => {
  test.for<Case & { when: string; tag: string }>([
    {
      when: "neither the constraint nor the current tag says it is a version",
      constraint: "",
      current: "1.4.2",
      tag: "1.4.3",
    },
    { when: "the constraint is open", constraint: ">=1.0.0", current: "1.4.2", tag: "1.4.3" },
    { when: "the constraint is a wildcard", constraint: "*", current: null, tag: "1.4.3" },
    { when: "the constraint names a much shorter one", constraint: ">=1", current: "1.4.2", tag: "1.4.3" },
    { when: "the constraint names one", constraint: ">=1000000", current: "1.4.2", tag: "4829103" },
    { when: "a range ends with one", constraint: "1.0.0 - 5000000", current: "1.4.2", tag: "4829103" },
    { when: "the current tag is one", constraint: "", current: "4829100", tag: "4829103" },
    { when: "the current tag is one of one digit less", constraint: "", current: "482910", tag: "4829103" },
  ])("$when: $tag", ({ tag, ...candidates }) => {
    expect(select({ tags: ["1.4.3", "4829103"], ...candidates })).toEqual({ kind: "version", tag });
  });

  test.for<Case>([
    { constraint: "", current: "3", tags: ["4829103", "3"] },
    { constraint: "", current: "1.4.2", tags: ["1.4.2", "4829103"] },
  ])("none after $current, of $tags", (candidates) => {
    expect(select(candidates).kind).toBe("no-newer-version");
  });
});

describe("returns the reason if no tag matches", () => {
  test.for<Case & { reason: string; kind?: string }>([
    { tags: [], reason: "the repository has no tags" },
    { pattern: "-alpine$", reason: "no tag matches the tag pattern" },
    { tags: ["latest", "sha-abc"], reason: "no tag is a version" },
    {
      tags: ["latest", "4829103"],
      reason:
        "no tag is a version: digits alone may be a commit hash, unless the constraint has such a version, as in >=20240101",
    },
    { constraint: "^3.0.0", reason: "no version satisfies ^3.0.0" },
    {
      tags: ["1.0.0-alpine"],
      reason:
        "no version satisfies ^1.0.0: all are pre-releases, which match only if the constraint names one, as in ^1.0.0-0",
    },
    { tags: ["1.0.0-rc1"], constraint: "^2.0.0-0", reason: "no version satisfies ^2.0.0-0" },
    {
      current: "1.2.0",
      kind: "no-newer-version",
      reason: "no version that satisfies ^1.0.0 is newer than 1.2.0",
    },
    {
      current: "1.0.0",
      failed: ["1.1.0", "1.2.0"],
      kind: "newer-failed",
      reason: "every newer version that satisfies ^1.0.0 has failed before: 1.1.0, 1.2.0",
    },
  ])("$reason", ({ reason, kind = "no-match", ...candidates }) => {
    expect(select(candidates)).toEqual({ kind, reason });
  });
});

describe("names the newest version that was found", () => {
  test.for<{ when: string; tags: readonly string[]; failed?: readonly string[]; newest: string | null }>([
    { when: "the constraint does not allow it", tags: ["1.1.0", "2.0.0"], newest: "2.0.0" },
    { when: "it has failed", tags: ["1.1.0", "1.2.0"], failed: ["1.2.0"], newest: "1.2.0" },
    { when: "a pre-release is higher", tags: ["1.1.0", "2.0.0-rc.1"], newest: "1.1.0" },
    { when: "no tag is a version", tags: ["latest"], newest: null },
  ])("$when: $newest", ({ tags, failed = [], newest }) => {
    const constraint = parseConstraint("^1.0.0");
    if (constraint.kind === "invalid") throw new Error(constraint.reason);
    expect(selectTag({ versioning: "semver", tags, constraint, current: "1.0.0", failed }).newest).toBe(newest);
  });
});

describe("the version and the constraint come before the pattern", () => {
  const constraint = parseConstraint("*-0") as Constraint;
  const many = Array.from({ length: 50_000 }, (_, index) => `1.${index}.0-${"a".repeat(20)}`);
  const pattern = parseTagPattern("[a-y]{20}z") as TagPattern;

  test.for([
    { when: "none is newer than the running one", current: "2.0.0", tags: ["1.0.0-z", ...many] },
    { when: "one after the other is newer", current: "1.0.0", tags: many },
  ])("$when: the budget is exceeded", (candidates) => {
    expect(() => selectTag({ ...candidates, constraint, pattern, failed: [], versioning: "semver" })).toThrow(
      "more than 10,000,000 steps of its tag pattern",
    );
  });

  test("tags that are no versions cost nothing", () => {
    const tags = many.map((tag) => `x${tag}`);
    expect(selectTag({ tags, current: "1.0.0", constraint, pattern, failed: [], versioning: "semver" }).kind).toBe(
      "no-match",
    );
  });
});

test("reports an invalid tag pattern", () => {
  expect(parseTagPattern("^v(")).toEqual({
    kind: "invalid",
    part: "^v(",
    reason: '"^v(" is not an RE2 regular expression: missing closing ): `^v(`',
  });
});

test("a tag pattern that would block a backtracking engine is fast", () => {
  const tags = ["1.2.0", `${"a".repeat(120)}!`];
  expect(select({ tags, pattern: "^(a+)+$" })).toEqual({
    kind: "no-match",
    reason: "no tag matches the tag pattern",
  });
});

describe("for any tags", () => {
  const part = fc.nat({ max: 3 });
  const prerelease = fc.constantFrom("", "", "", "-rc.1", "-alpine", "+build");
  const tag = fc.oneof(
    fc
      .tuple(fc.constantFrom("", "v"), part, part, part, prerelease)
      .map(([v, x, y, z, rest]) => `${v}${x}.${y}.${z}${rest}`),
    fc.tuple(part, part).map(([x, y]) => `${x}.${y}`),
    fc.constantFrom("latest", "20240101", "sha-1234567", "1.2.3.4"),
  );
  const constraint = fc.constantFrom("", "^1.0.0", "~1.2", ">=1.0.0-0 <3", "!=2.x", "1 - 2 || 3.x", "^0.2.1", "*-0");
  const candidates = fc.record({
    tags: fc.array(tag, { maxLength: 12 }),
    constraint,
    current: fc.option(tag),
    failed: fc.array(tag, { maxLength: 6 }),
  });

  test("the selected tag is listed, within the constraint, not failed, newer, and the highest of these", () => {
    fc.assert(
      fc.property(candidates, (given) => {
        const parsed = parseConstraint(given.constraint);
        if (parsed.kind === "invalid") throw new Error(parsed.reason);
        const minimumVersion = parseSemVerTag(given.current ?? "");
        const allowed = given.tags
          .filter((text) => !given.failed.includes(text))
          .map(parseSemVerTag)
          .filter((version) => version !== null)
          .filter(
            (version) =>
              (!/^\d+$/.test(version.original) || /^\d+$/.test(given.current ?? "")) &&
              satisfies(parsed, version) &&
              (minimumVersion === null || compareTags(version, minimumVersion) > 0),
          );
        const selection = select(given);
        const best = allowed.find(({ original }) => selection.kind === "version" && original === selection.tag);
        expect(best === undefined).toBe(allowed.length === 0);
        expect(allowed.filter((version) => best === undefined || compareTags(version, best) > 0)).toEqual([]);
      }),
    );
  });

  test("the order of the tags does not matter, and a selected tag is final", () => {
    fc.assert(
      fc.property(candidates, (given) => {
        const selection = select(given);
        expect(select({ ...given, tags: given.tags.toReversed() }).kind).toBe(selection.kind);
        if (selection.kind !== "version") return;
        expect(select({ ...given, tags: given.tags.toReversed() })).toEqual(selection);
        expect(select({ ...given, current: selection.tag }).kind).not.toBe("version");
      }),
    );
  });
});
