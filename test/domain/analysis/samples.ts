import { assess, type Assessment } from "../../../functions/domain/analysis/assess.ts";
import { type MeasurementOutcome, unmeasured } from "../../../functions/domain/analysis/judge.ts";
import { measure, startAnalysis } from "../../../functions/domain/analysis/measure.ts";
import { parseAnalysis } from "../../../functions/domain/analysis/parse-analysis.ts";
import type { AnalysisSpec } from "../../../functions/domain/analysis/spec.ts";
import type { AnalysisState } from "../../../functions/domain/analysis/state.ts";

export const noon = new Date("2026-11-20T12:00:00Z");

export function afterSeconds(seconds: number): Date {
  return new Date(noon.getTime() + seconds * 1000);
}

/** The metric of every analysis in these tests; its fields may be overridden. */
export const errorRate = { name: "error-rate", query: "vector(0)", threshold: 0.01 };

/** Parses an analysis. Throws if it is invalid. */
export function analysis(fields: object): AnalysisSpec {
  const spec = parseAnalysis({ metrics: [errorRate], ...fields });
  if (Array.isArray(spec)) throw new Error(spec.map(({ reason }) => reason).join("; "));
  return spec;
}

export const outcomes = {
  p: { verdict: "pass", value: 0.002, note: null },
  f: { verdict: "fail", value: 0.05, note: "0.05: result > 0.01" },
  i: { verdict: "inconclusive", value: 0.03, note: "0.03: neither result < 0.01 nor result > 0.05" },
  e: unmeasured("Unreachable: no answer"),
} satisfies Record<string, MeasurementOutcome>;

/** Returns a run with one measurement for each letter (pass, fail, inconclusive, error), one second apart. */
export function measured(letters: string, metric = errorRate.name, state = startAnalysis(noon)): AnalysisState {
  return letters.split("").reduce((before, letter, index) => {
    const outcome = outcomes[letter as keyof typeof outcomes];
    return measure(before, metric, outcome, afterSeconds(index + 1));
  }, state);
}

/** Assesses a run of `errorRate` after these measurements; `fields` and `metric` override the analysis and the metric. */
export function assessAfter(letters: string, fields: object = {}, metric: object = {}): Assessment {
  const spec = analysis({ metrics: [{ ...errorRate, ...metric }], ...fields });
  return assess(spec, measured(letters), afterSeconds(letters.length + 1));
}

/** Returns the paths of the problems, and their reasons as one message. */
export function problemsOf(input: unknown) {
  const problems = parseAnalysis(input);
  if (!Array.isArray(problems)) return { paths: [], message: "" };
  return { paths: problems.map(({ path }) => path), message: problems.map(({ reason }) => reason).join("\n") };
}
