import { formatRfc3339, parseRfc3339 } from "../text/rfc3339.ts";
import type { ComparisonState } from "./comparison/comparison.ts";
import { readComparison } from "./comparison/comparison-state.ts";
import type { Verdict } from "./judge.ts";

/** Counts of all measurements of one metric, although only the last measurements are kept. */
export interface MetricCounts {
  readonly passes: number;
  readonly failures: number;
  readonly inconclusive: number;
  readonly errors: number;
  readonly consecutiveErrors: number;
  readonly consecutiveSuccesses: number;
  /** When the consecutive errors began; null if the last measurement returned a value. */
  readonly noDataSince: Date | null;
  /** Of the last measurement; null before the first. */
  readonly measuredAt: Date | null;
  /** The uid of the Job that measures now. */
  readonly jobUid?: string;
  /** The last verdicts, `p` or `f` each, oldest first; absent while none of them failed. */
  readonly recent?: string;
  /** What a test has compared over the run. */
  readonly comparison?: ComparisonState;
}

export interface Measurement {
  readonly metric: string;
  readonly at: Date;
  readonly verdict: Verdict;
  /** Finite; null if there is none. */
  readonly value: number | null;
  /** Why it did not pass, at most 80 printable ASCII characters; null if it did. */
  readonly note: string | null;
  /** The value of the stable pods, finite; absent if there is none. */
  readonly baseline?: number;
}

/** "NotReady": the pods. "Invalid": the analysis or a setting. "Waiting": there is nothing to judge. "NextStep": its step is over. */
const pauseReasons = ["NotReady", "Invalid", "Waiting", "NextStep"] as const;

/** Why nothing is measured, and since when. */
export interface AnalysisPause {
  readonly reason: (typeof pauseReasons)[number];
  readonly since: Date;
  /** At most 80 printable ASCII characters. */
  readonly message: string;
}

/** The state of a run. Times are whole seconds, so that formatting loses nothing. */
export interface AnalysisState {
  readonly startedAt: Date;
  /** null while it measures. */
  readonly pause: AnalysisPause | null;
  /** By metric; a metric that was not measured is absent. */
  readonly counts: ReadonlyMap<string, MetricCounts>;
  /** The last 20, oldest first. */
  readonly measurements: readonly Measurement[];
}

export const measurementsKept = 20;

const verdicts = ["pass", "fail", "inconclusive", "error"] as const satisfies readonly Verdict[];

/** Formats a run: below 8 KiB for ten metrics, the maximum of an analysis, and below 16 KiB if all of them are tests. */
export function formatAnalysisState({ startedAt, pause, counts, measurements }: AnalysisState): string {
  return JSON.stringify({
    startedAt: formatRfc3339(startedAt),
    pause: pause && { ...pause, since: formatRfc3339(pause.since) },
    tallies: Object.fromEntries([...counts].map(([metric, one]) => [metric, writeCounts(one)])),
    measurements: measurements.map(({ metric, at, verdict, value, note, baseline }) => [
      metric,
      formatRfc3339(at),
      verdict,
      value,
      note,
      ...(baseline === undefined ? [] : [baseline]),
    ]),
  });
}

/** Parses the output of `formatAnalysisState`; returns null if any part of it is invalid. */
export function parseAnalysisState(text: string): AnalysisState | null {
  try {
    return readState(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Throws `SyntaxError`, as `JSON.parse` does, if the JSON is not a run. */
function readState(value: unknown): AnalysisState {
  const { startedAt, pause, tallies, measurements } = objectOf(value);
  return {
    startedAt: timeOf(startedAt),
    pause: pause === null ? null : readPause(pause),
    counts: new Map(Object.entries(objectOf(tallies)).map(([metric, one]) => [metric, readCounts(one)])),
    measurements: listOf(measurements).slice(-measurementsKept).map(readMeasurement),
  };
}

function readPause(value: unknown): AnalysisPause {
  const { reason, since, message } = objectOf(value);
  const known = pauseReasons.find((one) => one === reason);
  if (known === undefined || typeof message !== "string") throw new SyntaxError("a pause");
  return { reason: known, since: timeOf(since), message };
}

function writeCounts(counts: MetricCounts) {
  const time = (date: Date | null) => (date === null ? null : formatRfc3339(date));
  return { ...counts, noDataSince: time(counts.noDataSince), measuredAt: time(counts.measuredAt) };
}

function readCounts(value: unknown): MetricCounts {
  const counts = objectOf(value);
  return {
    passes: countOf(counts["passes"]),
    failures: countOf(counts["failures"]),
    inconclusive: countOf(counts["inconclusive"]),
    errors: countOf(counts["errors"]),
    consecutiveErrors: countOf(counts["consecutiveErrors"]),
    consecutiveSuccesses: countOf(counts["consecutiveSuccesses"]),
    noDataSince: counts["noDataSince"] === null ? null : timeOf(counts["noDataSince"]),
    measuredAt: counts["measuredAt"] === null ? null : timeOf(counts["measuredAt"]),
    ...(counts["jobUid"] === undefined ? {} : { jobUid: uidOf(counts["jobUid"]) }),
    ...(counts["recent"] === undefined ? {} : { recent: recentOf(counts["recent"]) }),
    ...(counts["comparison"] === undefined ? {} : { comparison: readComparison(counts["comparison"]) }),
  };
}

function readMeasurement(value: unknown): Measurement {
  const [metric, at, verdict, measured, note, baseline] = listOf(value);
  const known = verdicts.find((one) => one === verdict);
  const isValue = measured === null || typeof measured === "number";
  const isNote = note === null || typeof note === "string";
  if (typeof metric !== "string" || known === undefined || !isValue || !isNote) throw new SyntaxError("a measurement");
  return { metric, at: timeOf(at), verdict: known, value: measured, note, ...readBaseline(baseline) };
}

function readBaseline(value: unknown): Pick<Measurement, "baseline"> {
  if (value === undefined) return {};
  if (typeof value !== "number") throw new SyntaxError("a baseline");
  return { baseline: value };
}

function timeOf(value: unknown): Date {
  const time = typeof value === "string" ? parseRfc3339(value) : null;
  if (time === null) throw new SyntaxError("a time");
  return time;
}

function uidOf(value: unknown): string {
  if (typeof value === "string") return value;
  throw new SyntaxError("a uid");
}

function recentOf(value: unknown): string {
  if (typeof value === "string" && /^[pf]+$/.test(value)) return value;
  throw new SyntaxError("verdicts");
}

function countOf(value: unknown): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= 0) return value;
  throw new SyntaxError("a count");
}

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new SyntaxError("a list");
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
  throw new SyntaxError("an object");
}
