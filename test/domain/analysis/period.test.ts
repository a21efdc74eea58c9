import { describe, expect, test } from "vitest";
import { assess } from "../../../functions/domain/analysis/assess.ts";
import { measure, startAnalysis } from "../../../functions/domain/analysis/measure.ts";
import { parseAnalysis } from "../../../functions/domain/analysis/parse-analysis.ts";
import { limitCount } from "../../../functions/domain/analysis/short-run.ts";
import { afterSeconds, analysis, errorRate, noon, outcomes } from "./samples.ts";

describe("a metric of CloudWatch is first measured when a period that began with the run can be evaluated", () => {
  const query = (period: number) => ({ metricDataQueries: [{ id: "a", expression: "1", period }] });
  test.for([
    { period: 60, startedAfter: 0, waitSeconds: 60 + 120 },
    { period: 60, startedAfter: 1, waitSeconds: 59 + 60 + 120 },
    { period: 300, startedAfter: 60, waitSeconds: 240 + 300 + 120 },
    { period: 60, startedAfter: 1, fields: { initialDelay: "5m" }, waitSeconds: 300 },
    { period: 60, startedAfter: 1, fields: { initialDelay: "1m" }, waitSeconds: 59 + 60 + 120 },
  ])("of $period s, from $startedAfter s after noon $fields: $waitSeconds s", (one) => {
    const { period, startedAfter, fields, waitSeconds } = one;
    const spec = analysis({ ...fields, metrics: [{ ...errorRate, query: null, cloudWatch: query(period) }] });
    const state = startAnalysis(afterSeconds(startedAfter));
    expect(assess(spec, state, afterSeconds(startedAfter))).toEqual({ kind: "running", waitSeconds, due: [] });
    expect(assess(spec, state, afterSeconds(startedAfter + waitSeconds))).toMatchObject({ due: [errorRate.name] });
  });

  test("and at once if it is measured a number of times", () => {
    const spec = analysis({ metrics: [{ ...errorRate, query: null, cloudWatch: query(60) }] });
    expect(assess(limitCount(spec, 3), startAnalysis(noon), noon)).toMatchObject({ due: [errorRate.name] });
  });
});

describe("a period of CloudWatch is measured once", () => {
  const metric = (period: number) => ({
    ...errorRate,
    query: null,
    cloudWatch: { metricDataQueries: [{ id: "a", expression: "1", period }] },
  });

  test.for([
    { period: 300, interval: "1m", measuredAfter: 720, waitSeconds: 300 },
    // Its next check was late: the next period has ended meanwhile.
    { period: 300, interval: "1m", measuredAfter: 900, waitSeconds: 120 },
    { period: 60, interval: "5m", measuredAfter: 180, waitSeconds: 300 },
    { period: 60, interval: "1m", measuredAfter: 200, waitSeconds: 40 + 20 },
  ])("of $period s, every $interval, after $measuredAfter s", ({ period, interval, measuredAfter, waitSeconds }) => {
    const spec = analysis({ interval, metrics: [metric(period)] });
    const state = measure(startAnalysis(noon), errorRate.name, outcomes.p, afterSeconds(measuredAfter));
    expect(assess(spec, state, afterSeconds(measuredAfter))).toEqual({ kind: "running", waitSeconds, due: [] });
  });
});

describe("the range of a query", () => {
  const query = "sum(rate(errors[2m])) / sum(rate(requests[5m]))";

  test("is over before the first measurement, and before the next one", () => {
    const spec = analysis({ metrics: [{ ...errorRate, query }] });
    const state = startAnalysis(noon);
    expect(assess(spec, state, noon)).toEqual({ kind: "running", waitSeconds: 300, due: [] });
    const measured = measure(state, errorRate.name, outcomes.p, afterSeconds(300));
    expect(assess(spec, measured, afterSeconds(300))).toEqual({ kind: "running", waitSeconds: 300, due: [] });
    expect(assess(spec, measured, afterSeconds(600))).toMatchObject({ due: [errorRate.name] });
  });

  test("does not delay the second measurement if it may overlap, nor if the interval is longer", () => {
    const measured = measure(startAnalysis(noon), errorRate.name, outcomes.p, afterSeconds(300));
    const overlapping = analysis({ metrics: [{ ...errorRate, query, overlap: true }] });
    expect(assess(overlapping, startAnalysis(noon), noon)).toMatchObject({ waitSeconds: 300 });
    expect(assess(overlapping, measured, afterSeconds(300))).toMatchObject({ waitSeconds: 60 });
    const rare = analysis({ interval: "10m", metrics: [{ ...errorRate, query }] });
    expect(assess(rare, measured, afterSeconds(300))).toMatchObject({ waitSeconds: 600 });
  });

  test("of a comparison is the longest of its queries", () => {
    const compare = {
      numerator: "sum(increase(a{x='{{args.set}}'}[1m]))",
      denominator: "sum(increase(b{x='{{args.set}}'}[3m]))",
      maxIncrease: "20%",
    };
    const [metric] = analysis({ metrics: [{ name: "x", compare }] }).metrics;
    expect(metric?.rangeSeconds).toBe(180);
  });

  test("must fit into the deadline", () => {
    const problems = parseAnalysis({ deadline: "20m", metrics: [{ ...errorRate, query }] });
    expect(problems).toMatchObject([{ path: "deadline", reason: expect.stringContaining("a success takes 25m0s") }]);
  });
});
