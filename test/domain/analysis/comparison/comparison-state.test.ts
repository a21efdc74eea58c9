import * as v from "valibot";
import { expect, test } from "vitest";
import { comparisonState } from "../../../../functions/domain/analysis/comparison/comparison-state.ts";

const count = { numerator: 1.5, denominator: 100 };
const state = { margin: "+20%", intervals: 2, logs: [1, 2, 3, 4, 5, -6.5], canary: count, stable: count };

test.for([state, { ...state, batch: { canary: [1, 2], stable: [3, 4] } }, { ...state, intervals: 0, logs: [] }])(
  "reads %j",
  (written) => {
    expect(v.parse(comparisonState, JSON.parse(JSON.stringify(written)))).toEqual(written);
  },
);

test.for([
  null,
  { ...state, margin: 1 },
  { ...state, intervals: -1 },
  { ...state, intervals: 1.5 },
  { ...state, intervals: "2" },
  { ...state, logs: [1, 2] },
  { ...state, logs: [1, 2, 3, 4, 5, null] },
  { ...state, logs: "1" },
  { ...state, canary: null },
  { ...state, stable: { numerator: 1 } },
  { ...state, batch: { canary: [1] } },
])("refuses %j, so the run starts again", (written) => {
  expect(v.is(comparisonState, written)).toBe(false);
});
