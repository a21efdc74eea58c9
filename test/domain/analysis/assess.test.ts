import { assess, describeRun } from "../../../functions/domain/analysis/assess.ts";
import { pauseAnalysis } from "../../../functions/domain/analysis/pause.ts";
import { countsOf, startAnalysis } from "../../../functions/domain/analysis/measure.ts";
import { afterSeconds, analysis, assessAfter, errorRate, measured, noon } from "./samples.ts";
import { describe, expect, test } from "vitest";

describe("a run of five (p: pass, f: fail, i: inconclusive, e: error)", () => {
  test.for([
    { letters: "", kind: "running" },
    { letters: "pppp", kind: "running" },
    { letters: "ppppp", kind: "pass", reason: "error-rate: 5 passed, 0 failed" },
    { letters: "f", kind: "fail", reason: "error-rate: 1 failures, 0 allowed; last: 0.05: result > 0.01" },
    { letters: "ppppf", kind: "fail" },
    { letters: "fppppp", kind: "fail" },
    { letters: "pfppp", metric: { failureLimit: 1 }, kind: "pass", reason: "error-rate: 4 passed, 1 failed" },
    { letters: "pfpf", metric: { failureLimit: 1 }, kind: "fail", reason: "error-rate: 2 failures, 1 allowed" },
    { letters: "pff", metric: { maxRetries: 3 }, kind: "running" },
    { letters: "pfff", metric: { maxRetries: 3 }, kind: "fail" },
    { letters: "e".repeat(900), kind: "running" },
    { letters: "e".repeat(901), kind: "error", reason: "error-rate: no data for 15m0s; last: Unreachable: no" },
    { letters: "eeee", metric: { consecutiveErrorLimit: 4 }, kind: "running" },
    { letters: "eeeepeeee", metric: { consecutiveErrorLimit: 4 }, kind: "running" },
    { letters: "eeeeieeee", metric: { consecutiveErrorLimit: 4 }, kind: "running" },
    { letters: "eeeepeeeepeeeepeeeepeeeep", metric: { consecutiveErrorLimit: 4 }, kind: "pass" },
    { letters: "e", metric: { consecutiveErrorLimit: 0 }, kind: "error" },
    { letters: "iii", kind: "running" },
    { letters: "ipipi", kind: "running" },
    { letters: "ipipippp", kind: "pass" },
    { letters: "ipipipipp", kind: "inconclusive" },
    { letters: "i", metric: { inconclusiveLimit: 0 }, kind: "inconclusive" },
    { letters: "iiif", kind: "fail" },
    { letters: "iiiif", kind: "fail" },
    { letters: "eeeeef", metric: { consecutiveErrorLimit: 4 }, kind: "fail" },
    { letters: "iiiieeeee", metric: { consecutiveErrorLimit: 4 }, kind: "error" },
  ])("$letters $metric: $kind", ({ letters, metric = {}, kind, reason = "" }) => {
    const assessment = assessAfter(letters, {}, metric);
    expect(assessment.kind).toBe(kind);
    expect("reason" in assessment ? assessment.reason : "").toContain(reason);
  });
});

describe("successes in a row", () => {
  test.for([
    { letters: "pp", fields: {}, kind: "running" },
    { letters: "ppp", fields: {}, kind: "pass" },
    { letters: "ppipp", fields: {}, kind: "running" },
    { letters: "ppepp", fields: {}, kind: "running" },
    { letters: "ppfpp", fields: {}, kind: "running" },
    { letters: "ppfppp", fields: {}, kind: "pass" },
    { letters: "ppfppfppp", fields: {}, kind: "pass" },
    { letters: "ppfppfppf", fields: {}, kind: "fail" },
    { letters: "ppp", fields: { count: 5 }, kind: "pass" },
    {
      letters: "ppfpp",
      fields: { count: 5 },
      kind: "inconclusive",
      reason: "4 passed, 1 failed, but never 3 in a row",
    },
  ])("$letters $fields: $kind", ({ letters, fields, kind, reason = "" }) => {
    const assessment = assessAfter(letters, fields, { consecutiveSuccesses: 3, failureLimit: 2 });
    expect(assessment.kind).toBe(kind);
    expect("reason" in assessment ? assessment.reason : "").toContain(reason);
  });
});

describe("without data for a minute", () => {
  const fields = { noDataTimeout: "1m" };
  test.for([
    { letters: "e".repeat(60), kind: "running" },
    { letters: "e".repeat(61), kind: "error", reason: "no data for 1m0s" },
    { letters: `ppp${"e".repeat(60)}p${"e".repeat(60)}`, kind: "running" },
    { letters: `${"e".repeat(40)}i${"e".repeat(40)}`, kind: "running" },
    { letters: `ppp${"e".repeat(60)}p${"e".repeat(60)}p`, kind: "pass" },
    { letters: `${"e".repeat(61)}f`, kind: "fail" },
  ])("$letters: $kind", ({ letters, kind, reason = "" }) => {
    const assessment = assessAfter(letters, fields);
    expect(assessment.kind).toBe(kind);
    expect("reason" in assessment ? assessment.reason : "").toContain(reason);
  });

  test("a state without the time of the last measurement continues", () => {
    const edited = {
      ...measured("e"),
      counts: new Map([[errorRate.name, { ...countsOf(startAnalysis(noon), ""), noDataSince: noon }]]),
    };
    expect(assess(analysis({ noDataTimeout: 0 }), edited, afterSeconds(9))).toMatchObject({ kind: "running" });
  });
});

describe("two metrics and a dry run", () => {
  const other = { ...errorRate, name: "latency" };
  const dry = { ...errorRate, name: "dry", dryRun: true };
  const metrics = [errorRate, other, dry].map((metric) => ({ ...metric, consecutiveErrorLimit: 4 }));
  const spec = analysis({ count: 2, metrics });

  test.for([
    { first: "pp", second: "p", dryRun: "pp", kind: "running", reason: "" },
    { first: "pp", second: "", dryRun: "", kind: "running", reason: "" },
    { first: "", second: "f", dryRun: "", kind: "fail", reason: "latency: 1 failures" },
    { first: "eeeee", second: "f", dryRun: "", kind: "fail", reason: "latency: 1 failures" },
    { first: "iiii", second: "eeeee", dryRun: "", kind: "error", reason: "latency: 5 errors" },
    { first: "iiii", second: "pp", dryRun: "pp", kind: "inconclusive", reason: "error-rate: 4 inconclusive" },
    { first: "f", second: "f", dryRun: "", kind: "fail", reason: "result > 0.01; latency: 1 failures" },
    { first: "pp", second: "pp", dryRun: "f", kind: "pass", reason: "error-rate" },
    { first: "pp", second: "p", dryRun: "f", kind: "running", reason: "" },
    { first: "pp", second: "pp", dryRun: "eeeee", kind: "pass", reason: "error-rate" },
    { first: "f", second: "pp", dryRun: "pp", kind: "fail", reason: "error-rate" },
  ])("$first, $second and $dryRun: $kind", ({ first, second, dryRun, kind, reason }) => {
    const state = measured(dryRun, "dry", measured(second, "latency", measured(first)));
    const assessment = assess(spec, state, afterSeconds(10));
    expect(assessment.kind).toBe(kind);
    expect("reason" in assessment ? assessment.reason : "").toContain(reason);
  });

  test("only undecided metrics are due, including the dry run", () => {
    const state = measured("p", "latency", measured("pp"));
    expect(assess(spec, state, afterSeconds(90))).toEqual({ kind: "running", waitSeconds: 0, due: ["latency", "dry"] });
    const failed = measured("f", "dry", state);
    expect(assess(spec, failed, afterSeconds(90))).toMatchObject({ due: ["latency"] });
  });
});

describe("a run waits", () => {
  test.for([
    { when: "not before the first measurement", letters: "", at: 0, wait: 0, due: true },
    { when: "for its initial delay", letters: "", fields: { initialDelay: "2m" }, at: 0.5, wait: 120 },
    { when: "an interval after a value", letters: "p", at: 1, wait: 60 },
    { when: "for the rest of it, rounded up", letters: "p", at: 60.4, wait: 1 },
    { when: "no longer than the interval", letters: "p", at: 61, wait: 0, due: true },
    { when: "an interval after an inconclusive measurement", letters: "i", at: 11, wait: 50 },
    { when: "ten seconds after an error", letters: "e", at: 1, wait: 10 },
    { when: "half of the time without data, after more errors", letters: "e".repeat(61), at: 61, wait: 30 },
    { when: "a minute after more errors, and no longer", letters: "e".repeat(200), at: 200, wait: 60 },
    { when: "ten seconds after an error and no longer", letters: "pe", at: 12, wait: 0, due: true },
    { when: "an interval again after the error", letters: "ep", at: 2, wait: 60 },
    { when: "for its own interval", letters: "p", fields: { interval: "5m" }, at: 61, wait: 240 },
    { when: "at most until its deadline", letters: "p", fields: { count: 2, deadline: "61s" }, at: 31, wait: 30 },
    { when: "until its start if the clock is behind it", letters: "", at: -5, wait: 5 },
  ])("$when", ({ letters, fields = {}, at, wait, due = false }) => {
    const state = measured(letters);
    const expected = { kind: "running", waitSeconds: wait, due: due ? [errorRate.name] : [] };
    expect(assess(analysis(fields), state, afterSeconds(at))).toEqual(expected);
  });
});

describe("at its deadline a run", () => {
  const spec = analysis({ deadline: "10m" });
  test.for([
    { letters: "pppp", at: 600, kind: "inconclusive", reason: "not decided within 10m0s: error-rate" },
    { letters: "", at: 6000, kind: "inconclusive", reason: "not decided within 10m0s: error-rate" },
    { letters: "pppp", at: 599, kind: "running", reason: "" },
    { letters: "ppppp", at: 6000, kind: "pass", reason: "5 passed" },
    { letters: "f", at: 6000, kind: "fail", reason: "1 failures" },
    { letters: "eeeee", at: 6000, kind: "inconclusive", reason: "not decided" },
  ])("with $letters at $at s is $kind", ({ letters, at, kind, reason }) => {
    const assessment = assess(spec, measured(letters), afterSeconds(at));
    expect(assessment.kind).toBe(kind);
    expect("reason" in assessment ? assessment.reason : "").toContain(reason);
  });

  test("does not name a dry run as undecided", () => {
    const withDry = analysis({ deadline: "10m", metrics: [errorRate, { ...errorRate, name: "dry", dryRun: true }] });
    const assessment = assess(withDry, startAnalysis(noon), afterSeconds(600));
    expect(assessment).toEqual({ kind: "inconclusive", reason: "not decided within 10m0s: error-rate" });
  });
});

test("the reason remains if the measurement is no longer kept", () => {
  const dry = { ...errorRate, name: "dry", dryRun: true };
  const state = measured("p".repeat(25), "dry", measured("f"));
  const assessment = assess(analysis({ metrics: [errorRate, dry] }), state, afterSeconds(30));
  expect(assessment).toEqual({ kind: "fail", reason: "error-rate: 1 failures, 0 allowed" });
});

test.for([
  { letters: "", expected: null },
  { letters: "fp", expected: "error-rate = 0.002: pass" },
  { letters: "pf", expected: "error-rate = 0.05: fail" },
  { letters: "pi", expected: "error-rate = 0.03: inconclusive" },
  { letters: "pe", expected: "error-rate = nothing: error" },
])('after "$letters", describeRun is $expected', ({ letters, expected }) => {
  const run = measured(letters);
  expect(describeRun(run)).toBe(expected);
  const paused = pauseAnalysis(run, "NotReady", "0 of 1 replicas ready", noon);
  expect(describeRun(paused)).toBe("paused: 0 of 1 replicas ready");
});
