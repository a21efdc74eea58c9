import { describe, expect, test } from "vitest";
import { above, type Condition, meets, parseCondition } from "../../../functions/domain/analysis/condition.ts";

function condition(text: string): Condition {
  const parsed = parseCondition(text);
  if (parsed.kind === "invalid") throw new Error(parsed.reason);
  return parsed;
}

describe("a condition is met", () => {
  test.for([
    { text: "result < 0.01", yes: [0, -1, 0.009], no: [0.01, 1] },
    { text: "result <= 0.01", yes: [0.01, 0], no: [0.0101] },
    { text: "result > 5", yes: [5.1], no: [5, 4] },
    { text: "result >= 5", yes: [5, 6], no: [4.9] },
    { text: "result == 1", yes: [1], no: [0, 1.1] },
    { text: "result != 1", yes: [0], no: [1] },
    { text: "result<1e-3", yes: [0.0009], no: [0.001] },
    { text: "result > -.5", yes: [0], no: [-0.5] },
    { text: "result >= 0.9 && result <= 1", yes: [0.9, 0.95, 1], no: [0.89, 1.01] },
    { text: "result < 1 || result > 5", yes: [0, 6], no: [1, 3, 5] },
    { text: "result < 1 || result > 5 && result < 7", yes: [0, 6], no: [3, 7] },
    { text: "  result   <  +2.  ", yes: [1], no: [2] },
  ])("$text by $yes and not by $no", ({ text, yes, no }) => {
    const met = (value: number) => meets(value, condition(text));
    expect([yes.map(met), no.map(met)]).toEqual([yes.map(() => true), no.map(() => false)]);
  });

  test("by what is above the seed's threshold", () => {
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
])("$text is no condition", ({ text, part }) => {
  expect(parseCondition(text)).toEqual({ kind: "invalid", part, reason: expect.stringContaining("result < 0.01") });
});
