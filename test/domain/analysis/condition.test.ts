import { describe, expect, test } from "vitest";
import { above, type MetricCondition, meets, parseCondition } from "../../../functions/domain/analysis/condition.ts";

function condition(text: string): MetricCondition {
  const parsed = parseCondition(text);
  if (parsed.kind === "invalid") throw new Error(parsed.reason);
  return parsed;
}

describe("a condition is met", () => {
  test.for([
    { text: "result < 0.01", met: [0, -1, 0.009], unmet: [0.01, 1] },
    { text: "result <= 0.01", met: [0.01, 0], unmet: [0.0101] },
    { text: "result > 5", met: [5.1], unmet: [5, 4] },
    { text: "result >= 5", met: [5, 6], unmet: [4.9] },
    { text: "result == 1", met: [1], unmet: [0, 1.1] },
    { text: "result != 1", met: [0], unmet: [1] },
    { text: "result<1e-3", met: [0.0009], unmet: [0.001] },
    { text: "result > -.5", met: [0], unmet: [-0.5] },
    { text: "result >= 0.9 && result <= 1", met: [0.9, 0.95, 1], unmet: [0.89, 1.01] },
    { text: "result < 1 || result > 5", met: [0, 6], unmet: [1, 3, 5] },
    { text: "result < 1 || result > 5 && result < 7", met: [0, 6], unmet: [3, 7] },
    { text: "  result   <  +2.  ", met: [1], unmet: [2] },
  ])("$text by $met and not by $unmet", ({ text, met, unmet }) => {
    const isMet = (value: number) => meets(value, condition(text));
    expect([met.map(isMet), unmet.map(isMet)]).toEqual([met.map(() => true), unmet.map(() => false)]);
  });

  test("by values above a threshold", () => {
    expect([0.01, 0.011].map((value) => meets(value, above(0.01)))).toEqual([false, true]);
    expect(above(0.01).text).toBe("result > 0.01");
  });
});

test.for([
  { text: "", part: "" },
  { text: "0.01 > result", part: "0.01 > result" },
  { text: "result[0] < 1", part: "result[0] < 1" },
  { text: "result < NaN", part: "result < NaN" },
  { text: "result < 1e999", part: "result < 1e999" },
  { text: "result = 1", part: "result = 1" },
  { text: "result < 1 &&", part: "result < 1 &&" },
  { text: "result < 1 && result", part: "result" },
  { text: "result < 1 and result > 0", part: "result < 1 and result > 0" },
  { text: "(result < 1)", part: "(result < 1)" },
  { text: "result < 5%", part: "result < 5%" },
  { text: "result == result", part: "result == result" },
])("$text is not a condition", ({ text, part }) => {
  expect(parseCondition(text)).toEqual({ kind: "invalid", part, reason: expect.stringContaining("result < 0.01") });
});
