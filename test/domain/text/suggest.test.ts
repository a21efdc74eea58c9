import { expect, test } from "vitest";
import { suggest } from "../../../functions/domain/text/suggest.ts";

test.for([
  { word: "clutser", candidates: ["cluster", "schedule"], expected: "cluster" },
  { word: "CLUSTER", candidates: ["cluster"], expected: "cluster" },
  { word: "clusters", candidates: ["clutter", "cluster"], expected: "cluster" },
  { word: "timeout", candidates: ["cluster", "schedule"], expected: null },
  { word: "ab", candidates: ["cd"], expected: null },
])("for $word of $candidates, it suggests $expected", ({ word, candidates, expected }) => {
  expect(suggest(word, candidates)).toBe(expected);
});
