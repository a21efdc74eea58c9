import fc from "fast-check";
import { RE2JS } from "re2js";
import { describe, expect, test } from "vitest";
import { patternSize } from "../../../functions/domain/version/pattern-size.ts";
import { parseTagPattern } from "../../../functions/domain/version/tag-pattern.ts";

describe("counts instructions with the repeats expanded", () => {
  test.for([
    ["", 0],
    ["abc", 3],
    ["a{3}", 3],
    ["a{2,5}", 10],
    ["a{2,}", 4],
    ["(ab){10}", 40],
    ["(?:(?:a{10}){10}){10}", 1440],
    [String.raw`\pL{0,1000}`, 9000],
    [String.raw`\Q{2}\E{3}`, 15],
    [String.raw`\Qab`, 4],
    [String.raw`\x{41}{3}`, 3],
    ["[]a]{8}", 10],
    ["[^]a]{8}", 10],
    [String.raw`[\pL[:alpha:]]{8}`, 17],
    [String.raw`[\]]{8}`, 9],
    ["[a", 1.125],
    ["[[:a", 1.375],
    ["(a", 3],
    ["a)b", 3],
    ["x{", 2],
    ["x{a}", 4],
    ["\\", 1],
  ] as const)("%s", ([text, size]) => {
    // Each list that ends adds one.
    expect(patternSize(text)).toBe(text === "" ? 0 : size + 1);
  });
});

/** Any expression of a few parts. */
const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 4, depthIdentifier: "depth" },
    fc.constantFrom(
      "a",
      "[ab]",
      String.raw`\d`,
      String.raw`\pL`,
      "[^x-z]",
      String.raw`\b`,
      "^",
      "$",
      String.raw`\Qab\E`,
      ".",
    ),
    fc.tuple(tie("expression"), tie("expression")).map(([a, b]) => a + b),
    fc.tuple(tie("expression"), tie("expression")).map(([a, b]) => `(?:${a}|${b})`),
    fc.tuple(tie("expression"), fc.constantFrom("*", "+?", "?", "{3}", "{2,}", "{0,7}")).map(([a, b]) => `(${a})${b}`),
  ),
}));

test("never counts much less than the compiler", () => {
  fc.assert(
    fc.property(expression, (text) => {
      expect(RE2JS.compile(text).programSize()).toBeLessThanOrEqual(2 * patternSize(text) + 10);
    }),
  );
});

describe("a pattern that compiles to a large program is refused before it is compiled", () => {
  test.for([
    { text: String.raw`\pL{0,1000}`.repeat(93), size: "837,001" },
    { text: "(?:(?:a{100}){100}){100}", size: "1,040,401" },
    { text: "(".repeat(2000), size: "3,001" },
  ])("$size", ({ text, size }) => {
    const startedAt = performance.now();
    expect(parseTagPattern(text)).toMatchObject({
      kind: "invalid",
      reason: expect.stringContaining(
        `compiles to about ${size} instructions, and the limit is 2,000; use fewer or shorter repeats`,
      ),
    });
    expect(performance.now() - startedAt).toBeLessThan(200);
  });
});

test("a pattern is compiled once, until it has been matched a lot", () => {
  expect(parseTagPattern("^once$")).toBe(parseTagPattern("^once$"));
  const first = parseTagPattern("^first$");
  for (let index = 0; index < 64; index += 1) parseTagPattern(`^${index}$`);
  expect(parseTagPattern("^first$")).not.toBe(first);
});
