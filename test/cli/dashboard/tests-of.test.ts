import { expect, test } from "vitest";
import { testsOf } from "../../../cli/dashboard/server/criteria.ts";
import { judgeRun } from "../../../functions/domain/analysis/comparison/judge-run.ts";
import { measure, startAnalysis } from "../../../functions/domain/analysis/measure.ts";
import { parseAnalysis } from "../../../functions/domain/analysis/parse-analysis.ts";
import type { AnalysisSpec } from "../../../functions/domain/analysis/spec.ts";

const noon = new Date("2026-01-01T12:00:00Z");
const spec = parseAnalysis({
  metrics: [
    {
      name: "error-rate",
      compare: { numerator: "errors{{args.pods}}", denominator: "all{{args.pods}}", maxIncrease: "20%" },
    },
    { name: "latency", query: "p99", threshold: 1 },
  ],
}) as AnalysisSpec;

function measured(errors: number, requests = 1000) {
  const counted = (value: number) => ({ kind: "value", value }) as const;
  const [metric] = spec.metrics;
  const results = {
    canary: counted(errors),
    stable: counted(10),
    canaryDenominator: counted(requests),
    stableDenominator: counted(requests),
  };
  return measure(startAnalysis(noon), "error-rate", judgeRun(metric!, results, undefined)!, noon);
}

test.for([
  { name: "the same errors", errors: 10, fails: false },
  { name: "four times the errors", errors: 40, fails: true },
])("a test of $name: p says whether it fails", ({ errors, fails }) => {
  const run = measured(errors);
  const [row, ...others] = testsOf(spec, run);
  expect(others).toEqual([]);
  expect(row).toMatchObject({
    metric: "error-rate",
    canary: { sum: errors, n: 1000 },
    // As in any table of Wilson's interval for 10 of 1,000.
    stable: { sum: 10, n: 1000, interval: [expect.closeTo(0.00544, 5), expect.closeTo(0.01831, 5)] },
    margin: "+20%",
    limit: expect.closeTo(0.012),
    failsAt: expect.closeTo(0.05),
    minSamples: 100,
  });
  expect(row!.p <= row!.failsAt!).toBe(fails);
  expect(run.measurements[0]?.verdict).toBe(fails ? "fail" : "pass");
});

test("before anything is compared there is no test; without requests, or an analysis that can be read, no limit", () => {
  expect(testsOf(spec, null)).toEqual([]);
  expect(testsOf(spec, startAnalysis(noon))).toEqual([]);
  expect(testsOf(spec, measured(0, 0))).toMatchObject([
    { canary: { n: 0, interval: null }, limit: null, p: 1, failsAt: expect.any(Number) },
  ]);
  expect(testsOf(null, measured(10))).toMatchObject([{ margin: "+20%", limit: null, failsAt: null, minSamples: null }]);
});
