import { expect, test } from "vitest";
import { boundTags } from "../../../cli/workloads/bound-tags.ts";

const tags = [
  { tag: "3.1.0", reason: "does not satisfy ^1" },
  { tag: "3.0.0", reason: "does not satisfy ^1" },
  { tag: "1.3.0", reason: "has failed before" },
  { tag: "1.2.0", reason: null },
  { tag: "1.1.0", reason: null },
  { tag: "1.0.0", reason: "is not newer than 1.0.0" },
];

test.for([
  { max: 6, shown: ["3.1.0", "3.0.0", "1.3.0", "1.2.0", "1.1.0", "1.0.0"], hidden: {} },
  {
    max: 4,
    shown: ["3.1.0", "1.3.0", "1.2.0", "1.1.0"],
    hidden: { "does not satisfy ^1": 1, "is not newer than 1.0.0": 1 },
  },
  {
    max: 1,
    shown: ["1.2.0"],
    hidden: { "may be selected": 1, "has failed before": 1, "does not satisfy ^1": 2, "is not newer than 1.0.0": 1 },
  },
])("of six tags at most $max: those that matter, in their order", ({ max, shown, hidden }) => {
  const bound = boundTags({ shown: tags, hidden: [] }, max);
  expect(bound.shown.map(({ tag }) => tag)).toEqual(shown);
  expect(Object.fromEntries(bound.hidden.map(({ reason, count }) => [reason, count]))).toEqual(hidden);
});

test("adds to what was left out before", () => {
  const once = boundTags({ shown: tags, hidden: [] }, 4);
  expect(boundTags(once, 3).hidden).toContainEqual({ reason: "does not satisfy ^1", count: 2 });
});
