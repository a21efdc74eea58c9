import type { AnalysisState } from "./state.ts";

/** The last measurement of a run in words, `error-rate = 0.002: pass`; null before the first. */
export function lastMeasurement({ measurements }: AnalysisState): string | null {
  const last = measurements.at(-1);
  return last === undefined ? null : `${last.metric} = ${last.value ?? "nothing"}: ${last.verdict}`;
}
