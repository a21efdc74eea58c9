import fc from "fast-check";
import { compare, parse, type SemVer } from "semver";
import { describe, expect, test } from "vitest";
import { compareTags, higherVersion } from "../../../functions/domain/version/compare-tags.ts";
import { parseSemVerTag } from "../../../functions/domain/version/semver-tag.ts";
import type { Tag } from "../../../functions/domain/version/tag.ts";
import { propertyRuns } from "../../support/property-runs.ts";

describe("parseSemVerTag parses loosely and keeps the spelling", () => {
  test.for([
    { text: "1.2.3", expected: "1.2.3" },
    { text: "v1.2.3", expected: "1.2.3" },
    { text: "1", expected: "1.0.0" },
    { text: "1.2", expected: "1.2.0" },
    { text: "v1.2", expected: "1.2.0" },
    { text: "20240101", expected: "20240101.0.0" },
    { text: "01.02.03", expected: "1.2.3" },
    { text: "0.00", expected: "0.0.0" },
    { text: "1.2-beta.5", expected: "1.2.0-beta.5" },
    { text: "1.2.3-alpine", expected: "1.2.3-alpine" },
    { text: "1.2.3--", expected: "1.2.3--" },
    { text: "1.2.3-20161202202307-sha.e8fc5e5", expected: "1.2.3-20161202202307-sha.e8fc5e5" },
    { text: "1.2-rc.1+sha.5114f85", expected: "1.2.0-rc.1" },
  ])("$text is $expected", ({ text, expected }) => {
    const { major, minor, patch, prerelease } = parse(expected) as SemVer;
    expect(parseSemVerTag(text)).toMatchObject({ original: text, semver: { major, minor, patch, prerelease } });
  });

  test.for(["", "latest", "sha-abc", "V1.2.3", "1.2.3.4", "1.", ".1", "1..2", "1.2.3-", "1.2.3-01", "1.2.3-a..b"])(
    "%s is not a version",
    (text) => {
      expect(parseSemVerTag(text)).toBeNull();
    },
  );

  test.for(["1.2.3+", "1.2.3 ", " 1.2.3", "1.2.3_1", "v", "=1.2.3", "sha-1234567", "99999999999999999.0.0"])(
    "%s is not a version",
    (text) => {
      expect(parseSemVerTag(text)).toBeNull();
    },
  );
});

test.for([
  { a: "1.2.3", b: "1.2.4", sign: -1 },
  { a: "1.10.0", b: "1.9.0", sign: 1 },
  { a: "1.20", b: "v1.20.0", sign: 0 },
  { a: "1.0.0+a", b: "1.0.0+b", sign: 0 },
  { a: "1.0.0-rc.9", b: "1.0.0-rc.10", sign: -1 },
  { a: "1.0.0-rc9", b: "1.0.0-rc10", sign: 1 },
  { a: "1.0.0-rc1", b: "1.0.0", sign: -1 },
  { a: "1.0.0-alpha.1", b: "1.0.0-alpha.beta", sign: -1 },
])("$a against $b: $sign", ({ a, b, sign }) => {
  const [first, second] = [parseSemVerTag(a), parseSemVerTag(b)];
  if (first === null || second === null) throw new Error("both must be versions");
  expect(Math.sign(compareTags(first, second))).toBe(sign);
});

test("versions compare as in npm semver", () => {
  const number = fc.integer({ min: 0, max: 2 });
  const identifier = fc.oneof(number.map(String), fc.constantFrom("a", "b", "1a", "-", "10"));
  const prerelease = fc
    .array(identifier, { maxLength: 3 })
    .map((parts) => (parts.length === 0 ? "" : `-${parts.join(".")}`));
  const version = fc.tuple(number, number, number, prerelease).map(([a, b, c, end]) => `${a}.${b}.${c}${end}`);
  fc.assert(
    fc.property(version, version, (a, b) => {
      const order = compareTags(parseSemVerTag(a) as Tag, parseSemVerTag(b) as Tag);
      expect(Math.sign(order), `${a} against ${b}`).toBe(compare(a, b));
    }),
    { numRuns: propertyRuns(500) },
  );
});

test.for([
  { a: "1.2.0", b: "1.3.0", higher: "1.3.0" },
  { a: "v1.4", b: "1.3.0", higher: "v1.4" },
  { a: "1.2", b: "1.2.0", higher: "1.2" },
  { a: null, b: "1.2.0", higher: "1.2.0" },
  { a: "1.2.0", b: null, higher: "1.2.0" },
  { a: "latest", b: "1.2.0", higher: "1.2.0" },
  { a: "1.2.0", b: "sha-abc", higher: "1.2.0" },
  { a: "latest", b: null, higher: null },
])("the higher of $a and $b is $higher", ({ a, b, higher }) => {
  expect(higherVersion(a, b, "semver")).toBe(higher);
});
