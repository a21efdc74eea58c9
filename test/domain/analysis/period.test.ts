import { describe, expect, test } from "vitest";
import { withoutCanary } from "../../../functions/domain/analysis/bake-run.ts";
import type { AnalysisSpec } from "../../../functions/domain/analysis/spec.ts";
import { assess } from "../../../functions/domain/analysis/assess.ts";
import { measure, startAnalysis } from "../../../functions/domain/analysis/measure.ts";
import { parseAnalysis } from "../../../functions/domain/analysis/parse-analysis.ts";
import { shortRunProblem } from "../../../functions/domain/analysis/period.ts";
import { limitCount } from "../../../functions/domain/analysis/short-run.ts";
import { afterSeconds, analysis, errorRate, noon, outcomes } from "./samples.ts";

describe("a metric of CloudWatch is first measured when a period that began with the run can be evaluated", () => {
  const query = (period: number, arrivalDelay: string | null = null) => {
    return { arrivalDelay, metricDataQueries: [{ id: "a", expression: "1", period }] };
  };
  test.for([
    { period: 60, startedAfter: 0, waitSeconds: 60 + 120 },
    { period: 60, startedAfter: 1, waitSeconds: 59 + 60 + 120 },
    { period: 300, startedAfter: 60, waitSeconds: 240 + 300 + 120 },
    { period: 60, startedAfter: 1, arrival: "10m", waitSeconds: 59 + 60 + 600 },
    { period: 60, startedAfter: 1, arrival: "0s", waitSeconds: 59 + 60 },
    { period: 60, startedAfter: 1, fields: { initialDelay: "5m" }, waitSeconds: 300 },
    { period: 60, startedAfter: 1, fields: { initialDelay: "1m" }, waitSeconds: 59 + 60 + 120 },
  ])("of $period s, from $startedAfter s after noon $fields $arrival: $waitSeconds s", (one) => {
    const { period, arrival, startedAfter, fields, waitSeconds } = one;
    const spec = analysis({ ...fields, metrics: [{ ...errorRate, query: null, cloudWatch: query(period, arrival) }] });
    const state = startAnalysis(afterSeconds(startedAfter));
    expect(assess(spec, state, afterSeconds(startedAfter))).toEqual({ kind: "running", waitSeconds, due: [] });
    expect(assess(spec, state, afterSeconds(startedAfter + waitSeconds))).toMatchObject({ due: [errorRate.name] });
  });
});

describe("a period of CloudWatch is measured once", () => {
  const metric = (period: number, arrivalDelay: string | null = null) => ({
    ...errorRate,
    query: null,
    cloudWatch: { arrivalDelay, metricDataQueries: [{ id: "a", expression: "1", period }] },
  });

  test.for([
    { period: 300, interval: "1m", measuredAfter: 720, waitSeconds: 300 },
    // Its next check was late: the next period has ended meanwhile.
    { period: 300, interval: "1m", measuredAfter: 900, waitSeconds: 120 },
    { period: 60, interval: "5m", measuredAfter: 180, waitSeconds: 300 },
    { period: 60, interval: "1m", measuredAfter: 200, waitSeconds: 40 + 20 },
    { period: 300, interval: "1m", arrival: "4m", measuredAfter: 900, waitSeconds: 240 },
  ])("of $period s, every $interval, after $measuredAfter s $arrival", (one) => {
    const { period, interval, arrival, measuredAfter, waitSeconds } = one;
    const spec = analysis({ interval, metrics: [metric(period, arrival)] });
    const state = measure(startAnalysis(noon), errorRate.name, outcomes.p, afterSeconds(measuredAfter));
    expect(assess(spec, state, afterSeconds(measuredAfter))).toEqual({ kind: "running", waitSeconds, due: [] });
  });
});

describe("the range of a query", () => {
  const query = "sum(rate(errors[2m])) / sum(rate(requests[5m]))";

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

describe("fresh pods warm up", () => {
  const query = "rate({{args.set}}[5m])";
  const compared = { query, compare: { maxIncrease: "20%" } };
  const cloudWatch = { metricDataQueries: [{ id: "a", expression: "1", period: 60 }] };

  test.for([
    { metric: compared, fields: {}, waitSeconds: 300 + 60 },
    { metric: compared, fields: { warmUp: "10m" }, waitSeconds: 600 },
    { metric: compared, fields: { warmUp: "0s" }, waitSeconds: 300 },
    { metric: compared, fields: { warmUp: "1m", initialDelay: "20m" }, waitSeconds: 1200 },
    { metric: { query }, fields: {}, waitSeconds: 300 },
    { metric: { query }, fields: { warmUp: "10m" }, waitSeconds: 600 },
    { metric: { query: null, cloudWatch }, fields: {}, waitSeconds: 180 },
    { metric: { query: null, cloudWatch }, fields: { warmUp: "10m" }, waitSeconds: 600 },
  ])("$metric with $fields: first measured after $waitSeconds s", ({ metric, fields, waitSeconds }) => {
    const spec = analysis({ ...fields, metrics: [{ ...errorRate, ...metric }] });
    expect(assess(spec, startAnalysis(noon), noon)).toEqual({ kind: "running", waitSeconds, due: [] });
    const run = { what: "the pause", seconds: waitSeconds - 1 };
    expect(shortRunProblem(spec, run)).toContain("the first measurement is that of error-rate");
    expect(assess(limitCount(spec, 1), startAnalysis(noon), noon)).toMatchObject({ due: [errorRate.name] });
  });

  test("but not in a bake time, in which those of all pods are judged by themselves", () => {
    const spec = analysis({
      warmUp: "10m",
      metrics: [
        { ...errorRate, query },
        { ...errorRate, name: "x", ...compared },
      ],
    });
    const baked = withoutCanary(spec) as AnalysisSpec;
    expect(assess(baked, startAnalysis(noon), noon)).toEqual({ kind: "running", waitSeconds: 300, due: [] });
  });
});

describe("a time in which nothing can be measured", () => {
  const what = "the bake time";
  const query = "sum(rate(errors[5m]))";
  const cloudWatch = { metricDataQueries: [{ id: "a", expression: "1", period: 60 }] };
  const late = { arrivalDelay: "10m", ...cloudWatch };

  test.for([
    { when: "the range", metric: { query }, seconds: 300, delay: null },
    { when: "a second less", metric: { query }, seconds: 299, delay: "error-rate after 5m0s" },
    { when: "no range", metric: {}, seconds: 1, delay: null },
    {
      when: "the initial delay",
      fields: { initialDelay: "1m" },
      metric: {},
      seconds: 30,
      delay: "error-rate after 1m0s",
    },
    { when: "two periods and the delay", metric: { query: null, cloudWatch }, seconds: 240, delay: null },
    {
      when: "a later arrival",
      metric: { query: null, cloudWatch: late },
      seconds: 240,
      delay: "error-rate after 12m0s",
    },
  ])("is compared with $when: $delay", ({ fields, metric, seconds, delay }) => {
    const problem = shortRunProblem(analysis({ ...fields, metrics: [{ ...errorRate, ...metric }] }), { what, seconds });
    const described = problem?.replace(
      /^the bake time of .* is too short: the first measurement is that of (.*);.*$/,
      "$1",
    );
    expect(described ?? null).toBe(delay);
  });

  test("does not count for dry runs", () => {
    const metrics = [errorRate, { ...errorRate, name: "shown", query, dryRun: true }];
    expect(shortRunProblem(analysis({ metrics }), { what, seconds: 60 })).toBeNull();
  });
});
