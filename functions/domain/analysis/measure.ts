import { fromEpoch } from "../text/rfc3339.ts";
import { addVerdict } from "./failure-limit.ts";
import type { MeasurementOutcome } from "./judge.ts";
import { type AnalysisState, measurementsKept, type MetricCounts } from "./state.ts";

const maxNoteLength = 80;

const emptyCounts: MetricCounts = {
  passes: 0,
  failures: 0,
  inconclusive: 0,
  errors: 0,
  consecutiveErrors: 0,
  consecutiveSuccesses: 0,
  noDataSince: null,
  measuredAt: null,
};

/** Returns a run that starts now. What tests have compared in an earlier step of the canary remains: one error budget is for the whole update. */
export function startAnalysis(now: Date, earlier: AnalysisState | null = null): AnalysisState {
  const compared = [...(earlier?.counts ?? [])].flatMap(([metric, { comparison }]) =>
    comparison === undefined ? [] : [[metric, { ...emptyCounts, comparison }] as const],
  );
  return { startedAt: wholeSecond(now), pause: null, counts: new Map(compared), measurements: [] };
}

/** Reports whether a run has measured anything, or measures it. One that has not begins when its pods are ready. */
export function hasBegun({ counts }: AnalysisState): boolean {
  return [...counts.values()].some(({ measuredAt, jobUid }) => measuredAt !== null || jobUid !== undefined);
}

/** Reports whether a measurement of a run has failed, also one that is not kept. */
export function hasFailures({ counts }: AnalysisState): boolean {
  return [...counts.values()].some(({ failures }) => failures > 0);
}

/** Returns the run with one more measurement. */
export function measure(state: AnalysisState, metric: string, outcome: MeasurementOutcome, now: Date): AnalysisState {
  const at = wholeSecond(now);
  const { verdict, baseline } = outcome;
  // JSON has no negative zero.
  const value = outcome.value === null ? null : outcome.value + 0;
  const note = outcome.note === null ? null : printable(outcome.note);
  const stable = baseline === undefined ? {} : { baseline: baseline + 0 };
  const measurement = { metric, at, verdict, value, note, ...stable };
  return {
    ...state,
    counts: new Map([...state.counts, [metric, count(countsOf(state, metric), outcome, at)]]),
    measurements: [...state.measurements, measurement].slice(-measurementsKept),
  };
}

/** Returns the run after a Job of this uid has begun a measurement; the same object if it is recorded. */
export function awaitJob(state: AnalysisState, metric: string, jobUid: string): AnalysisState {
  const counts = countsOf(state, metric);
  return counts.jobUid === jobUid
    ? state
    : { ...state, counts: new Map([...state.counts, [metric, { ...counts, jobUid }]]) };
}

/** Returns the number of the next measurement of a metric, from 1. */
export function nextMeasurement(state: AnalysisState, metric: string): number {
  const { passes, failures, inconclusive, errors } = countsOf(state, metric);
  return passes + failures + inconclusive + errors + 1;
}

export function countsOf({ counts }: AnalysisState, metric: string): MetricCounts {
  return counts.get(metric) ?? emptyCounts;
}

/** Consecutive successes end with any other verdict, and so do consecutive errors. */
function count(
  counts: MetricCounts,
  { verdict, comparison = counts.comparison }: MeasurementOutcome,
  measuredAt: Date,
): MetricCounts {
  const recent = verdict === "pass" || verdict === "fail" ? addVerdict(counts.recent, verdict) : counts.recent;
  return {
    passes: counts.passes + Number(verdict === "pass"),
    failures: counts.failures + Number(verdict === "fail"),
    inconclusive: counts.inconclusive + Number(verdict === "inconclusive"),
    errors: counts.errors + Number(verdict === "error"),
    consecutiveErrors: verdict === "error" ? counts.consecutiveErrors + 1 : 0,
    consecutiveSuccesses: verdict === "pass" ? counts.consecutiveSuccesses + 1 : 0,
    noDataSince: verdict === "error" ? (counts.noDataSince ?? measuredAt) : null,
    measuredAt,
    ...(recent === undefined ? {} : { recent }),
    ...(comparison === undefined ? {} : { comparison }),
  };
}

/** Limits the space that a message takes in a status. */
export function printable(note: string): string {
  return note.replace(/[^ -~]+/g, "?").slice(0, maxNoteLength);
}

export function wholeSecond(date: Date): Date {
  return fromEpoch(Math.floor(date.getTime() / 1000) * 1000);
}
