import { describe, expect, test } from "vitest";
import { allowsPrereleases, parseConstraint, satisfies } from "../../../functions/domain/version/constraint.ts";
import { parseSemVerTag } from "../../../functions/domain/version/semver-tag.ts";
import { type ConstraintFact, mastermindsFacts, quirks } from "./constraint-cases.ts";

interface Row {
  readonly constraint: string;
  readonly version: string;
  readonly expected: boolean;
}

function rowsOf({ constraint, admits = "", refuses = "" }: ConstraintFact): Row[] {
  const words = (text: string) => text.split(" ").filter((word) => word !== "");
  return [
    ...words(admits).map((version) => ({ constraint, version, expected: true })),
    ...words(refuses).map((version) => ({ constraint, version, expected: false })),
  ];
}

function constraintOf(text: string | null) {
  const constraint = parseConstraint(text);
  if (constraint.kind === "invalid") throw new Error(constraint.reason);
  return constraint;
}

function versionOf(text: string) {
  const version = parseSemVerTag(text);
  if (version === null) throw new Error(`${text} is no version`);
  return version;
}

describe("the cases of Masterminds/semver", () => {
  test.for(mastermindsFacts.flatMap(rowsOf))("$constraint $version: $expected", ({ constraint, version, expected }) => {
    expect(satisfies(constraintOf(constraint), versionOf(version))).toBe(expected);
  });
});

describe("differences from npm semver", () => {
  test.for(quirks.flatMap(rowsOf))("$constraint $version: $expected", ({ constraint, version, expected }) => {
    expect(satisfies(constraintOf(constraint), versionOf(version))).toBe(expected);
  });
});

test("an absent constraint admits every release", () => {
  expect(satisfies(constraintOf(null), versionOf("0.0.0"))).toBe(true);
  expect(satisfies(constraintOf(null), versionOf("1.0.0-rc1"))).toBe(false);
});

test.for([
  { constraint: "^1.0.0", expected: false },
  { constraint: "^1.0.0-0", expected: true },
  { constraint: "1.x || 2.x-0", expected: true },
])("$constraint can be satisfied by a pre-release: $expected", ({ constraint, expected }) => {
  expect(allowsPrereleases(constraintOf(constraint))).toBe(expected);
});

test.for([
  { text: ">= 1.1", groups: [1] },
  { text: ">40.50.60, < 50.70", groups: [2] },
  { text: "v2.3.5-20161202202307-sha.e8fc5e5", groups: [1] },
  { text: ">= 1.2.3 < 2.0 || => 3.0 < 4", groups: [2, 2] },
  { text: "3 - 4 || => 3.0, < 4", groups: [2, 2] },
  { text: "12.3.34 ~1.2.3", groups: [2] },
  { text: "1.0.0 - 2.0.0, <=2.0.0", groups: [3] },
  { text: "2 - 3 4.0.0 - 5.1", groups: [4] },
])("$text has these groups: $groups", ({ text, groups }) => {
  expect(constraintOf(text).groups.map((group) => group.length)).toEqual(groups);
});

describe("an invalid constraint is rejected with its invalid part", () => {
  test.for([
    { text: "not-a-semver", part: "not-a-semver" },
    { text: "foo", part: "foo" },
    { text: ">= bar", part: ">= bar" },
    { text: "BAR >= 1.2.3", part: "BAR" },
    { text: "12.3.4.1234", part: "12.3.4.1234" },
    { text: "12.3.34~ 1.2.3", part: "12.3.34~" },
    { text: ">=1.0 foo <2", part: "foo" },
    { text: ">=1.0<2.0", part: ">=1.0<2.0" },
    { text: ">=1.0,,<2", part: ">=1.0,,<2" },
    { text: ">=1.0,", part: ">=1.0," },
    { text: ",>=1.0", part: ",>=1.0" },
    { text: "^1 ||", part: "^1 ||" },
    { text: "^1 | ^2", part: "|" },
    { text: "^1 && ^2", part: "&&" },
    { text: "1|2", part: "1|2" },
    { text: "^", part: "^" },
    { text: ">1 - 2", part: "-" },
    { text: "1.0 -2.0", part: "-2.0" },
    { text: "1 - 2 - 3", part: "-" },
    { text: "==1.0", part: "==1.0" },
    { text: "1.0.0-01", part: "1.0.0-01" },
    { text: "^3, 1 - 2.0.0-01", part: "1 - 2.0.0-01" },
    { text: "1.xx", part: "1.xx" },
    { text: ">1 >=99999999999999999999.0.0", part: ">=99999999999999999999.0.0" },
    { text: "V1.2.3", part: "V1.2.3" },
    { text: "latest", part: "latest" },
  ])("$text: $part", ({ text, part }) => {
    expect(parseConstraint(text)).toEqual({
      kind: "invalid",
      part,
      reason: expect.stringContaining(`"${part}" is not a version constraint: use versions such as 1.2.3`),
    });
  });
});
