import { describe, expect, test } from "vitest";
import { assess } from "../../../functions/domain/analysis/assess.ts";
import { judgeRun } from "../../../functions/domain/analysis/comparison/judge-run.ts";
import { countsOf, hasBegun, measure, startAnalysis } from "../../../functions/domain/analysis/measure.ts";
import { nextRun } from "../../../functions/domain/analysis/pause.ts";
import type { QueryResult } from "../../../functions/domain/analysis/query-result.ts";
import {
  type AnalysisState,
  formatAnalysisState,
  parseAnalysisState,
} from "../../../functions/domain/analysis/state.ts";
import { afterSeconds, analysis, noon, outcomes } from "./samples.ts";

const counts = { numerator: "errors{{args.pods}}", denominator: "requests{{args.pods}}" };
const spec = analysis({ count: 3, metrics: [{ name: "compared", compare: { ...counts, maxIncrease: "20%" } }] });
const metric = spec.metrics[0]!;

const value = (number: number): QueryResult => ({ kind: "value", value: number });

/** Measures errors of the canary, of 1,000 requests, beside 1 % of the stable pods. */
function measured(errors: readonly number[], state = startAnalysis(noon), requests = 1000): AnalysisState {
  return errors.reduce((before, one, index) => {
    const results = {
      canary: value(one),
      stable: value(90),
      canaryDenominator: value(requests),
      stableDenominator: value(9000),
    };
    const outcome = judgeRun(metric, results, countsOf(before, metric.name).comparison)!;
    return measure(before, metric.name, outcome, afterSeconds(60 * (index + 1)));
  }, state);
}

describe("the last of the measurements decides", () => {
  test.for([
    { errors: [10, 10], kind: "running", reason: undefined },
    { errors: [10, 10, 10], kind: "pass", reason: "compared: no difference in 3 measurements" },
  ])("$errors errors: $kind", ({ errors, kind, reason }) => {
    const assessment = assess(spec, measured(errors), afterSeconds(180));
    expect(assessment).toMatchObject({ kind, ...(reason === undefined ? {} : { reason }) });
  });

  test("too few requests do not end the run before, and leave it inconclusive", () => {
    expect(assess(spec, measured([0, 0], undefined, 10), afterSeconds(120)).kind).toBe("running");
    expect(assess(spec, measured([0, 0, 0], undefined, 10), afterSeconds(180))).toEqual({
      kind: "inconclusive",
      reason: "compared: not decided by 3 measurements; last: 30 of 100 samples",
    });
    // Below minSamples at first, and above it at the end.
    expect(assess(spec, measured([0, 0, 0], undefined, 40), afterSeconds(180)).kind).toBe("pass");
  });
});

describe("what a run has compared", () => {
  test("is the same after it is formatted and parsed, and continues", () => {
    const state = measured([10, 12]);
    const restored = parseAnalysisState(formatAnalysisState(state))!;
    expect(restored).toEqual(state);
    expect(measured([60], restored)).toEqual(measured([60], state));
  });

  test("remains in the next step of a canary, which has measured nothing yet", () => {
    const state = nextRun(measured([10, 12]), "step 2/3", afterSeconds(300))!;
    expect(state).toMatchObject({ startedAt: afterSeconds(300), pause: { reason: "NextStep" }, measurements: [] });
    expect(countsOf(state, metric.name)).toMatchObject({ passes: 0, comparison: { intervals: 2 } });
    expect([hasBegun(state), hasBegun(measured([10]))]).toEqual([false, true]);
    expect(assess(spec, state, afterSeconds(300))).toMatchObject({ kind: "running" });
  });

  test("is nothing without a test", () => {
    expect(nextRun(measure(startAnalysis(noon), "m", outcomes.p, noon), "step 2/3", noon)).toBeNull();
    expect(nextRun(null, "step 2/3", noon)).toBeNull();
  });

  test("of ten metrics with full batches of samples fits into 16 KiB", () => {
    const [ranks] = analysis({
      metrics: [{ name: "p99", query: "{{args.set}}", compare: { test: "mannWhitney", maxIncrease: "20%" } }],
    }).metrics;
    let state = startAnalysis(noon);
    for (let index = 0; index < 200; index++) {
      const name = `${index % 10}`.padStart(40, "m");
      const results = {
        canary: value(123_456.789 / (index + 3)),
        stable: value(987_654.321 / (index + 7)),
        canaryDenominator: null,
        stableDenominator: null,
      };
      state = measure(state, name, judgeRun(ranks!, results, countsOf(state, name).comparison)!, noon);
    }
    expect(Buffer.byteLength(formatAnalysisState(state))).toBeLessThan(16_384);
    expect(parseAnalysisState(formatAnalysisState(state))).toEqual(state);
  });
});
