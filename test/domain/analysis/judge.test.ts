import { describe, expect, test } from "vitest";
import { judge, unmeasured } from "../../../functions/domain/analysis/judge.ts";
import type { QueryResult } from "../../../functions/domain/analysis/query-result.ts";
import { analysis, errorRate } from "./samples.ts";

const { name, query } = errorRate;
const criteria = {
  threshold: { threshold: 0.01 },
  success: { successCondition: "result < 0.01" },
  failure: { failureCondition: "result > 0.05" },
  both: { successCondition: "result < 0.01", failureCondition: "result > 0.05" },
  overlapping: { successCondition: "result < 1", failureCondition: "result > 0.05" },
  always: { successCondition: "result < 1 || result >= 1" },
};

function criterionOf(fields: object) {
  const [metric] = analysis({ metrics: [{ name, query, ...fields }] }).metrics;
  if (metric === undefined) throw new Error("no metric");
  return metric.criterion;
}

describe("a value is judged by its criterion", () => {
  test.for<{ by: keyof typeof criteria; value: number; verdict: string; note: string | null }>([
    { by: "threshold", value: 0, verdict: "pass", note: null },
    { by: "threshold", value: 0.01, verdict: "pass", note: null },
    { by: "threshold", value: 0.02, verdict: "fail", note: "0.02: result > 0.01" },
    { by: "success", value: 0.009, verdict: "pass", note: null },
    { by: "success", value: 0.01, verdict: "fail", note: "0.01: not result < 0.01" },
    { by: "failure", value: 0.05, verdict: "pass", note: null },
    { by: "failure", value: 0.06, verdict: "fail", note: "0.06: result > 0.05" },
    { by: "both", value: 0, verdict: "pass", note: null },
    { by: "both", value: 0.06, verdict: "fail", note: "0.06: result > 0.05" },
    { by: "both", value: 0.03, verdict: "inconclusive", note: "0.03: neither result < 0.01 nor result > 0.05" },
    { by: "overlapping", value: 0.5, verdict: "fail", note: "0.5: result > 0.05" },
    { by: "always", value: 7, verdict: "pass", note: null },
  ])("$by: $value is $verdict", ({ by, value, verdict, note }) => {
    expect(judge(criterionOf(criteria[by]), { kind: "value", value })).toEqual({ verdict, value, note });
  });
});

describe.for([{ by: "threshold" }, { by: "success" }, { by: "both" }, { by: "always" }] as const)(
  "with the criterion $by, an error is",
  ({ by }) => {
    test.for<{ reading: QueryResult; note: string }>([
      { reading: { kind: "none" }, note: "the query returned nothing" },
      { reading: { kind: "several", count: 3 }, note: "the query returned 3 series" },
      { reading: { kind: "value", value: Number.NaN }, note: "the query returned NaN" },
      { reading: { kind: "value", value: Infinity }, note: "the query returned Infinity" },
      { reading: { kind: "value", value: -Infinity }, note: "the query returned -Infinity" },
    ])("$note", ({ reading, note }) => {
      const outcome = judge(criterionOf(criteria[by]), reading);
      expect(outcome).toEqual({ verdict: "error", value: null, note });
    });
  },
);

test("a failed query is an error", () => {
  expect(unmeasured("no answer")).toEqual({ verdict: "error", value: null, note: "no answer" });
});

describe("a comparison with the baseline", () => {
  const compared = { query: "x{{args.pods}}", compare: { maxIncrease: "20%" } };
  const value = (number: number): QueryResult => ({ kind: "value", value: number });

  test.for<{ canary: number; stable: number; compare?: object; verdict: string; note: string | null }>([
    { canary: 0.012, stable: 0.01, verdict: "pass", note: null },
    { canary: 0.001, stable: 0.01, verdict: "pass", note: null },
    { canary: 0.0121, stable: 0.01, verdict: "fail", note: "0.0121: over 20% above the baseline 0.01" },
    { canary: -8, stable: -10, verdict: "pass", note: null },
    { canary: -7, stable: -10, verdict: "fail", note: "-7: over 20% above the baseline -10" },
    { canary: 0, stable: 0, verdict: "pass", note: null },
    { canary: -1, stable: -0, verdict: "pass", note: null },
    { canary: 0.001, stable: 0, verdict: "inconclusive", note: "0.001: the baseline is 0" },
    { canary: 0.001, stable: 0, compare: { maxIncrease: "20% + 0.01" }, verdict: "pass", note: null },
    {
      canary: 0.02,
      stable: 0,
      compare: { maxIncrease: "20% + 0.01" },
      verdict: "fail",
      note: "0.02: over 20% + 0.01 above the baseline 0",
    },
    {
      canary: 7,
      stable: 10,
      compare: { maxDecrease: "20%" },
      verdict: "fail",
      note: "7: over 20% below the baseline 10",
    },
    { canary: 99, stable: 10, compare: { maxDecrease: "20%" }, verdict: "pass", note: null },
  ])("$canary beside $stable: $verdict", ({ canary, stable, verdict, note, ...fields }) => {
    const outcome = judge(criterionOf({ ...compared, ...fields }), value(canary), value(stable));
    expect(outcome).toEqual({ verdict, value: canary, note, baseline: stable });
  });

  test.for<{ baseline: QueryResult; note: string }>([
    { baseline: { kind: "none" }, note: "baseline: the query returned nothing" },
    { baseline: { kind: "several", count: 2 }, note: "baseline: the query returned 2 series" },
    { baseline: value(Number.NaN), note: "baseline: the query returned NaN" },
  ])("that is unknown is an error: $note", ({ baseline, note }) => {
    expect(judge(criterionOf(compared), value(9), baseline)).toEqual({ verdict: "error", value: null, note });
  });

  test.for([
    { conditions: { threshold: 0.05 }, canary: 0.06, verdict: "fail" },
    { conditions: { threshold: 0.05 }, canary: 0.04, verdict: "inconclusive" },
    { conditions: { successCondition: "result < 0.001" }, canary: 0.0009, verdict: "pass" },
    { conditions: { successCondition: "result < 0.001" }, canary: 0.002, verdict: "inconclusive" },
    { conditions: criteria.both, canary: 0.06, verdict: "fail" },
    { conditions: criteria.both, canary: 0.03, verdict: "inconclusive" },
  ])("decides what $conditions leave open: $canary beside 0 is $verdict", ({ conditions, canary, verdict }) => {
    const outcome = judge(criterionOf({ ...compared, ...conditions }), value(canary), value(0));
    expect(outcome).toMatchObject({ verdict, value: canary });
  });

  test("is inconclusive if the stable pods meet the failure condition too", () => {
    const outcome = judge(criterionOf({ ...compared, threshold: 0.05 }), value(0.3), value(0.31));
    const note = "0.3: result > 0.05; the stable pods, 0.31, meet it too";
    expect(outcome).toEqual({ verdict: "inconclusive", value: 0.3, note, baseline: 0.31 });
  });

  test("is kept beside the value if a condition decides", () => {
    const outcome = judge(criterionOf({ ...compared, threshold: 0.05 }), value(0.06), value(0.01));
    expect(outcome).toMatchObject({ verdict: "fail", baseline: 0.01 });
  });
});
