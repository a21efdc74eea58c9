import { secondsBetween } from "../text/rfc3339.ts";
import { printable, startAnalysis, wholeSecond } from "./measure.ts";
import type { AnalysisPause, AnalysisState } from "./state.ts";

/** Returns the run, paused; the same object if it is paused for this reason already. */
export function pauseAnalysis(
  state: AnalysisState | null,
  reason: AnalysisPause["reason"],
  message: string,
  now: Date,
): AnalysisState {
  if (state?.pause?.reason === reason) return state;
  return { ...(state ?? startAnalysis(now)), pause: { reason, since: wholeSecond(now), message: printable(message) } };
}

/** Returns the run of the next step of a canary, which begins when its pods are ready; null if no test has compared anything. */
export function nextRun(state: AnalysisState | null, message: string, now: Date): AnalysisState | null {
  const next = startAnalysis(now, state);
  return next.counts.size === 0 ? null : pauseAnalysis(next, "NextStep", message, now);
}

/** Returns the run without a pause; the same object if it has none. */
export function resumeAnalysis(state: AnalysisState): AnalysisState {
  return state.pause === null ? state : { ...state, pause: null };
}

/** Returns for how long a run has been paused for a reason. */
export function pausedSeconds(state: AnalysisState | null, reason: AnalysisPause["reason"], now: Date): number {
  return state?.pause?.reason === reason ? secondsBetween(state.pause.since, now) : 0;
}
