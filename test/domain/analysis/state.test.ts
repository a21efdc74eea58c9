import { describe, expect, test } from "vitest";
import { measure, startAnalysis, countsOf } from "../../../functions/domain/analysis/measure.ts";
import { measureOnce } from "../../../functions/domain/analysis/short-run.ts";
import { formatAnalysisState, parseAnalysisState } from "../../../functions/domain/analysis/state.ts";
import { pauseAnalysis, resumeAnalysis } from "../../../functions/domain/analysis/pause.ts";
import { assess } from "../../../functions/domain/analysis/assess.ts";
import { afterSeconds, analysis, errorRate, measured, noon } from "./samples.ts";

describe("a recorded run keeps", () => {
  test("every count, and the last 20 measurements", () => {
    const state = measured("fiep".repeat(10));
    expect(countsOf(state, errorRate.name)).toEqual({
      passes: 10,
      failures: 10,
      inconclusive: 10,
      errors: 10,
      consecutiveErrors: 0,
      consecutiveSuccesses: 1,
      noDataSince: null,
      measuredAt: afterSeconds(40),
      recent: "fp".repeat(10),
    });
    expect(state.measurements).toHaveLength(20);
    expect(state.measurements.at(0)).toMatchObject({ verdict: "fail", value: 0.05, at: afterSeconds(21) });
    expect(state.measurements.at(-1)).toMatchObject({ verdict: "pass", note: null, at: afterSeconds(40) });
  });

  test("whole seconds, and 80 printable characters of a note", () => {
    const outcome = { verdict: "error", value: null, note: `\u0000\n"é${"x".repeat(100)}` } as const;
    const state = measure(startAnalysis(afterSeconds(0.9)), "m", outcome, afterSeconds(1.9));
    expect(state).toMatchObject({
      startedAt: noon,
      measurements: [{ at: afterSeconds(1), note: `?"?${"x".repeat(77)}` }],
    });
  });

  test("the start of its pause, until the reason changes or it is resumed", () => {
    const started = pauseAnalysis(null, "Invalid", `no "ConfigMap" ${"x".repeat(100)}`, afterSeconds(1.5));
    const message = `no "ConfigMap" ${"x".repeat(65)}`;
    expect(started).toEqual({
      ...startAnalysis(afterSeconds(1)),
      pause: { reason: "Invalid", since: afterSeconds(1), message },
    });
    expect(pauseAnalysis(started, "Invalid", "another", afterSeconds(9))).toEqual(started);
    const unready = pauseAnalysis(started, "NotReady", "0 of 1", afterSeconds(9));
    expect(unready.pause).toEqual({ reason: "NotReady", since: afterSeconds(9), message: "0 of 1" });
    const resumed = resumeAnalysis(unready);
    expect(resumed).toEqual(startAnalysis(afterSeconds(1)));
    expect(resumeAnalysis(resumed)).toBe(resumed);
  });
});

describe("a run is formatted and parsed", () => {
  test.for(["", "p", "fiep", "e".repeat(30)])("after %s", (letters) => {
    const state = measured(letters, "latency", measured(letters));
    expect(parseAnalysisState(formatAnalysisState(state))).toEqual(state);
    const paused = pauseAnalysis(state, "NotReady", "0 of 1 replicas ready", afterSeconds(99));
    expect(parseAnalysisState(formatAnalysisState(paused))).toEqual(paused);
  });

  test.for(["constructor", "prototype"])("with the counts of a metric named %s", (name) => {
    const state = measured("pf", name, measured("p"));
    expect(countsOf(parseAnalysisState(formatAnalysisState(state))!, name)).toMatchObject({ passes: 1, failures: 1 });
  });

  test("with the values of the stable pods, if there are any", () => {
    const compared = (baseline: number) => ({ verdict: "pass", value: 1, note: null, baseline }) as const;
    const first = measure(measured("p"), "latency", compared(0.25), noon);
    const state = measure(first, "latency", compared(-0), noon);
    const parsed = parseAnalysisState(formatAnalysisState(state));
    expect(parsed).toEqual(state);
    expect(parsed?.measurements.map(({ baseline }) => baseline)).toEqual([undefined, 0.25, 0]);
  });

  const formatted = JSON.parse(formatAnalysisState(measured("f"))) as Record<string, object>;
  const [measurement] = formatted["measurements"] as unknown[][];
  const counts = (formatted["tallies"] as Record<string, object>)[errorRate.name];
  test.for([
    { when: "invalid JSON", text: "{" },
    { when: "an empty text", text: "" },
    { when: "another value", value: null },
    { when: "another list", value: [] },
    { when: "no time", value: { ...formatted, startedAt: "noon" } },
    { when: "a number for a time", value: { ...formatted, startedAt: 5 } },
    { when: "an unknown pause", value: { ...formatted, pause: { reason: "Lunch", since: noon, message: "" } } },
    { when: "a pause without a message", value: { ...formatted, pause: { reason: "Invalid", since: noon } } },
    { when: "a pause without a start", value: { ...formatted, pause: { reason: "Invalid", message: "" } } },
    { when: "no counts", value: { ...formatted, tallies: undefined } },
    { when: "a count below zero", value: { ...formatted, tallies: { m: { ...counts, failures: -1 } } } },
    { when: "a fractional count", value: { ...formatted, tallies: { m: { ...counts, failures: 0.5 } } } },
    { when: "a missing count", value: { ...formatted, tallies: { m: { ...counts, errors: undefined } } } },
    { when: "no measurements", value: { ...formatted, measurements: {} } },
    { when: "an unknown verdict", value: { ...formatted, measurements: [measurement!.with(2, "good")] } },
    { when: "a text for a value", value: { ...formatted, measurements: [measurement!.with(3, "0")] } },
    { when: "a number for a note", value: { ...formatted, measurements: [measurement!.with(4, 0)] } },
    { when: "a text for a baseline", value: { ...formatted, measurements: [[...measurement!, "0"]] } },
    { when: "no metric", value: { ...formatted, measurements: [measurement!.with(0, null)] } },
  ])("$when is rejected", ({ text, value }) => {
    expect(parseAnalysisState(text ?? JSON.stringify(value))).toBeNull();
  });
});

describe("an analysis is limited", () => {
  const spec = analysis({ initialDelay: "5m", metrics: [{ ...errorRate, failureLimit: 3, consecutiveSuccesses: 4 }] });

  test.for([
    { letters: "p", kind: "pass" },
    { letters: "f", kind: "fail" },
    { letters: "i", kind: "inconclusive" },
    { letters: "e", kind: "error" },
  ])("to one measurement, which decides: $letters is $kind", ({ letters, kind }) => {
    expect(assess(measureOnce(spec), startAnalysis(noon), noon)).toMatchObject({
      waitSeconds: 0,
      due: [errorRate.name],
    });
    expect(assess(measureOnce(spec), measured(letters), afterSeconds(2)).kind).toBe(kind);
  });
});
