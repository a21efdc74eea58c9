import { assess, type Assessment } from "../../../functions/domain/analysis/assess.ts";
import { judge, type Outcome, unmeasured } from "../../../functions/domain/analysis/judge.ts";
import { measure, startAnalysis } from "../../../functions/domain/analysis/measure.ts";
import { parseAnalysis } from "../../../functions/domain/analysis/parse-analysis.ts";
import type { AnalysisSpec } from "../../../functions/domain/analysis/spec.ts";
import type { AnalysisState } from "../../../functions/domain/analysis/state.ts";

export const noon = new Date("2026-11-20T12:00:00Z");

export function afterSeconds(seconds: number): Date {
  return new Date(noon.getTime() + seconds * 1000);
}

/** One metric of every analysis here; parts of it may be written otherwise. */
export const errorRate = { name: "error-rate", query: "vector(0)", threshold: 0.01 };

/** An analysis that must be valid. */
export function analysis(written: object): AnalysisSpec {
  const spec = parseAnalysis({ metrics: [errorRate], ...written });
  if (Array.isArray(spec)) throw new Error(spec.map(({ reason }) => reason).join("; "));
  return spec;
}

export const outcomes = {
  p: { verdict: "pass", value: 0.002, note: null },
  f: { verdict: "fail", value: 0.05, note: "0.05: result > 0.01" },
  i: judge({ success: null, failure: null }, { kind: "none" }),
  e: unmeasured("Unreachable: no answer"),
} satisfies Record<string, Outcome>;

/** A run with one measurement per letter, a second apart: `p`, `f`, `i` and `e` of the metric. */
export function measured(letters: string, metric = errorRate.name, state = startAnalysis(noon)): AnalysisState {
  return letters.split("").reduce((before, letter, index) => {
    const outcome = outcomes[letter as keyof typeof outcomes];
    return measure(before, metric, outcome, afterSeconds(index + 1));
  }, state);
}

/** How a run of `errorRate`, written as given, stands after these measurements. */
export function assessedAfter(letters: string, written: object = {}, metric: object = {}): Assessment {
  const spec = analysis({ metrics: [{ ...errorRate, ...metric }], ...written });
  return assess(spec, measured(letters), afterSeconds(letters.length + 1));
}

/** Paths of the problems, and all of what they say. */
export function problemsOf(input: unknown) {
  const problems = parseAnalysis(input);
  if (!Array.isArray(problems)) return { paths: [], says: "" };
  return { paths: problems.map(({ path }) => path), says: problems.map(({ reason }) => reason).join("\n") };
}
