import { describe, expect, test } from "vitest";
import { assess } from "../../../functions/domain/analysis/assess.ts";
import { lasting } from "../../../functions/domain/analysis/lasting.ts";
import { judge } from "../../../functions/domain/analysis/judge.ts";
import {
  awaitJob,
  countsOf,
  measure,
  nextMeasurement,
  startAnalysis,
} from "../../../functions/domain/analysis/measure.ts";
import { splitJobs, withoutJobs } from "../../../functions/domain/analysis/short-run.ts";
import { formatAnalysisState, parseAnalysisState } from "../../../functions/domain/analysis/state.ts";
import { afterSeconds, analysis, errorRate, measured, noon, outcomes, problemsOf } from "./samples.ts";

const smoke = { name: "smoke", job: { name: "smoke-test" } };

describe("a metric that is a Job", () => {
  test("is measured once by default, and its exit code is the verdict", () => {
    const [metric] = analysis({ metrics: [smoke] }).metrics;
    expect(metric).toMatchObject({
      provider: { kind: "job", timeoutSeconds: 600, usesNewImage: false },
      query: "smoke-test",
      baselineQuery: null,
      rangeSeconds: 0,
      failureWindow: null,
      overlaps: false,
      count: 1,
    });
    const verdictOf = (value: number) => metric && judge(metric.criterion, { kind: "value", value });
    expect(verdictOf(0)).toEqual({ verdict: "pass", value: 0, note: null });
    expect(verdictOf(1)).toEqual({ verdict: "fail", value: 1, note: "1: the Job failed" });
  });

  test("has time to end: each measurement may take its timeout", () => {
    const job = { name: "smoke-test", timeout: "20m", useNewImage: true };
    const spec = analysis({ metrics: [{ name: "smoke", job }], interval: "1m", noDataTimeout: "5m" });
    expect(spec.metrics[0]?.provider).toEqual({ kind: "job", timeoutSeconds: 1200, usesNewImage: true });
    expect(spec.deadlineSeconds).toBe(2 * (1 + 3) * (60 + 1200) + 300);
  });

  test.for([
    { count: 1, deadline: "3m", message: "takes 3m0s" },
    { count: 1, deadline: "181s", message: "" },
    { count: 3, deadline: "11m", message: "takes 11m0s" },
    { count: 3, deadline: "12m", message: "" },
  ])("must have time to end within a deadline: $count in $deadline", ({ message, ...fields }) => {
    const given = { interval: "1m", metrics: [{ name: "smoke", job: { name: "smoke-test", timeout: "2m" } }] };
    expect(problemsOf({ ...given, ...fields }).message.replace(/^.*(?=takes)| of .*$/g, "")).toBe(message);
  });

  test.for([
    { timeout: "1m", seconds: 600, count: 5 },
    { timeout: "9m", seconds: 600, count: 1 },
    { timeout: "20m", seconds: 600, count: 1 },
  ])("of a step of $seconds s is measured as often as surely fits: $timeout, $count", ({ timeout, seconds, count }) => {
    const spec = analysis({ metrics: [{ name: "smoke", job: { name: "smoke-test", timeout } }], interval: "1m" });
    expect(lasting(spec, seconds).metrics[0]?.count).toBe(count);
  });

  test.for([
    { metric: { job: { name: "Smoke_Test" } }, path: "job.name", message: "is not the name of a CronJob" },
    { metric: { job: {} }, path: "job.name", message: "is missing" },
    { metric: { job: { name: "a", timeout: "25h" } }, path: "job.timeout", message: "1 to 86400 seconds" },
    { metric: { job: { name: "a", onFailure: "record" } }, path: "job.onFailure", message: "is not a known field" },
    { metric: { threshold: 1 }, path: "", message: "has a job, whose exit code is the verdict" },
    { metric: { compare: { maxIncrease: "1%" } }, path: "", message: "has a job, whose exit code is the verdict" },
  ])("is refused: $path $message", ({ metric, path, message }) => {
    const found = problemsOf({ metrics: [{ ...smoke, ...metric }] });
    expect(found.paths).toEqual([["metrics[0]", path].filter(Boolean).join(".")]);
    expect(found.message).toContain(message);
  });
});

describe("a measurement that is not finished", () => {
  const spec = analysis({ metrics: [smoke, errorRate] });
  const begun = awaitJob(measured("p"), "smoke", "u-1");

  test("is neither a result nor an error, and is recorded once", () => {
    expect(countsOf(begun, "smoke")).toMatchObject({ errors: 0, noDataSince: null, measuredAt: null, jobUid: "u-1" });
    expect(awaitJob(begun, "smoke", "u-1")).toBe(begun);
    expect(parseAnalysisState(formatAnalysisState(begun))).toEqual(begun);
  });

  test.for([
    { pending: new Map<string, number>(), waitSeconds: 0, due: ["smoke"] },
    { pending: new Map([["smoke", 15]]), waitSeconds: 15, due: [] },
    { pending: new Map([["smoke", 90]]), waitSeconds: 59, due: [] },
  ])("is continued at the next check, after $waitSeconds s", ({ pending, waitSeconds, due }) => {
    expect(assess(spec, begun, afterSeconds(2), pending)).toEqual({ kind: "running", waitSeconds, due });
  });

  test("ends with its result: the next one has another number", () => {
    expect(nextMeasurement(begun, "smoke")).toBe(1);
    const ended = measure(begun, "smoke", outcomes.e, afterSeconds(9));
    expect(nextMeasurement(ended, "smoke")).toBe(2);
    expect(countsOf(ended, "smoke").jobUid).toBeUndefined();
    expect(nextMeasurement(measured("pfie"), errorRate.name)).toBe(5);
  });

  test("whose Job is not a uid is no run", () => {
    const text = formatAnalysisState(begun).replace('"u-1"', "1");
    expect(parseAnalysisState(text)).toBeNull();
    expect(parseAnalysisState(formatAnalysisState(startAnalysis(noon)))).toEqual(startAnalysis(noon));
  });
});

test("why there is no value is the reason of an error", () => {
  const criterion = analysis({}).metrics[0]?.criterion;
  expect(criterion && judge(criterion, { kind: "none", reason: "deleted" })).toMatchObject({ note: "deleted" });
});

describe("pawl analyze, which creates no Job", () => {
  const { spec, metrics, jobs } = splitJobs(analysis({ metrics: [smoke, errorRate] }));

  test("measures all others", () => {
    expect(spec.metrics).toEqual(metrics);
    expect([metrics.map(({ name }) => name), jobs.map(({ name }) => name)]).toEqual([["error-rate"], ["smoke"]]);
  });

  const missing = "smoke is the Job of CronJob smoke-test, which was not created";
  const dryRuns = jobs.map((job) => ({ ...job, dryRun: true }));
  test.for([
    { end: { kind: "pass", reason: "" }, without: jobs, kind: "inconclusive", reason: missing },
    { end: { kind: "fail", reason: "bad" }, without: jobs, kind: "fail", reason: `bad; ${missing}` },
    { end: { kind: "pass", reason: "ok" }, without: dryRuns, kind: "pass", reason: `ok; ${missing}` },
    { end: { kind: "pass", reason: "ok" }, without: [], kind: "pass", reason: "ok" },
  ] as const)("never passes what it did not measure: $kind, $reason", ({ end, without, kind, reason }) => {
    expect(withoutJobs(end, without)).toEqual({ kind, reason });
  });
});
