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
