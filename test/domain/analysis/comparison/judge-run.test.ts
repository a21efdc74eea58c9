import { describe, expect, test } from "vitest";
import type { ComparisonState } from "../../../../functions/domain/analysis/comparison/comparison.ts";
import { judgeRun } from "../../../../functions/domain/analysis/comparison/judge-run.ts";
import type { QueryResult } from "../../../../functions/domain/analysis/query-result.ts";
import { analysis } from "../samples.ts";

const counts = { numerator: "errors{{args.pods}}", denominator: "requests{{args.pods}}", maxIncrease: "20%" };

function metricOf(compare: object = {}, conditions: object = {}) {
  const all = { ...counts, ...compare };
  return analysis({ metrics: [{ name: "compared", compare: all, ...conditions }] }).metrics[0]!;
}

const value = (number: number): QueryResult => ({ kind: "value", value: number });

function resultsOf(canary: readonly [number, number], stable: readonly [number, number]) {
  return {
    canary: value(canary[0]),
    stable: value(stable[0]),
    canaryDenominator: value(canary[1]),
    stableDenominator: value(stable[1]),
  };
}

describe("a run is judged by all that it has counted", () => {
  test.for<{
    when: string;
    canary: [number, number];
    stable: [number, number];
    conditions?: object;
    compare?: object;
    verdict: string;
    note: string | null;
  }>([
    { when: "equal", canary: [10, 1000], stable: [90, 9000], verdict: "pass", note: null },
    {
      when: "worse",
      canary: [40, 1000],
      stable: [90, 9000],
      verdict: "fail",
      note: "0.04: above 0.012, 0.01 and +20%",
    },
    {
      when: "worse, and still good",
      canary: [40, 10_000],
      stable: [9, 90_000],
      conditions: { successCondition: "result < 0.01" },
      verdict: "pass",
      note: null,
    },
    {
      when: "within its absolute margin",
      canary: [40, 1000],
      stable: [90, 9000],
      compare: { maxIncrease: "20% + 0.05" },
      verdict: "pass",
      note: null,
    },
    {
      when: "without requests",
      canary: [0, 0],
      stable: [90, 9000],
      verdict: "inconclusive",
      note: "the canary has no requests",
    },
    {
      when: "beside pods without requests",
      canary: [9, 900],
      stable: [0, 0],
      verdict: "inconclusive",
      note: "the stable pods have no requests",
    },
    {
      when: "lower than it may be",
      canary: [10, 1000],
      stable: [900, 9000],
      compare: { maxIncrease: undefined, maxDecrease: "20%" },
      verdict: "fail",
      note: "0.01: below 0.08, 0.1 and -20%",
    },
    {
      when: "in an outage of both",
      canary: [300, 1000],
      stable: [2800, 9000],
      conditions: { threshold: 0.05 },
      verdict: "inconclusive",
      note: "0.3: result > 0.05; so do the stable pods",
    },
    {
      when: "above a threshold by chance",
      canary: [56, 1000],
      stable: [440, 9000],
      conditions: { threshold: 0.05 },
      verdict: "inconclusive",
      note: "0.056: result > 0.05; not above chance",
    },
  ])("$when: $verdict", ({ canary, stable, conditions, compare, verdict, note }) => {
    const outcome = judgeRun(metricOf(compare, conditions), resultsOf(canary, stable), undefined);
    expect(outcome).toMatchObject({ verdict, note });
  });
});

describe("what is no count is an error, and adds nothing", () => {
  test.for<{ results: object; note: string }>([
    { results: { canary: { kind: "none" } }, note: "the canary: the query returned nothing" },
    { results: { stable: { kind: "several", count: 2 } }, note: "the stable pods: the query returned 2 series" },
    {
      results: { canaryDenominator: value(Number.NaN) },
      note: "the denominator of the canary: the query returned NaN",
    },
    {
      results: { stableDenominator: value(Infinity) },
      note: "the denominator of the stable pods: the query returned Infinity",
    },
    { results: { canary: value(-1) }, note: "the canary: -1 is no count, which is never negative" },
  ])("$note", ({ results, note }) => {
    const read = { ...resultsOf([1, 1000], [9, 9000]), ...results };
    expect(judgeRun(metricOf(), read, undefined)).toEqual({ verdict: "error", value: null, note });
  });
});

test("a metric without a test is not judged here", () => {
  const [plain] = analysis({}).metrics;
  const [glance] = analysis({
    metrics: [{ name: "x", query: "{{args.set}}", compare: { maxIncrease: "20%" } }],
  }).metrics;
  for (const metric of [plain!, glance!]) expect(judgeRun(metric, resultsOf([1, 1], [1, 1]), undefined)).toBeNull();
});

test("evidence about another margin does not count", () => {
  const worse = resultsOf([40, 1000], [90, 9000]);
  const { comparison } = judgeRun(metricOf(), worse, undefined)!;
  const again = judgeRun(metricOf(), worse, comparison)!;
  expect(again.comparison).toMatchObject({ intervals: 2, canary: { numerator: 80, denominator: 2000 } });
  const other = judgeRun(metricOf({ maxIncrease: "500%" }), worse, comparison)!;
  expect(other).toMatchObject({ verdict: "pass", comparison: { intervals: 1, margin: "+500%" } });
});

test("an interval without requests adds nothing to the evidence", () => {
  const first = judgeRun(metricOf(), resultsOf([9, 1000], [90, 9000]), undefined)!.comparison;
  const next = judgeRun(metricOf(), resultsOf([0, 0], [90, 9000]), first)!.comparison;
  expect(next).toMatchObject({ intervals: 1, logs: first!.logs, stable: { numerator: 180 } });
});

test("counts of CloudWatch are exact: they weigh more than those that are extrapolated", () => {
  const results = resultsOf([15, 1000], [90, 9000]);
  const logs = (metric: Parameters<typeof judgeRun>[0]) => judgeRun(metric, results, undefined)!.comparison!.logs;
  const own = metricOf();
  const begin = -Math.log(2);
  const exact = logs({ ...own, provider: { kind: "cloudwatch", address: null } });
  logs(own).forEach((log, index) => expect(log - begin).toBeCloseTo(0.75 * (exact[index]! - begin), 5));
});

test("samples are compared by their ranks", () => {
  const [metric] = analysis({
    metrics: [
      { name: "p99", query: "{{args.set}}", compare: { test: "mannWhitney", maxIncrease: "20%", minSamples: 3 } },
    ],
  }).metrics;
  const verdicts: (string | undefined)[] = [];
  let state: ComparisonState | undefined;
  for (let sample = 0; sample < 7; sample++) {
    const results = {
      canary: value(2 + sample / 100),
      stable: value(1 + sample / 100),
      canaryDenominator: null,
      stableDenominator: null,
    };
    const outcome = judgeRun(metric!, results, state);
    state = outcome?.comparison;
    verdicts.push(outcome?.verdict);
  }
  expect(verdicts).toEqual(["inconclusive", "inconclusive", "pass", "pass", "fail", "fail", "fail"]);
  expect(state).toMatchObject({ canary: { denominator: 7 }, batch: { canary: { length: 7 } } });
});
