import * as v from "valibot";
import { parseJson } from "../text/parse-json.ts";
import { formatRfc3339, parseRfc3339 } from "../text/rfc3339.ts";
import type { ComparisonState } from "./comparison/comparison.ts";
import { comparisonState } from "./comparison/comparison-state.ts";
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

function writeCounts(counts: MetricCounts) {
  const time = (date: Date | null) => (date === null ? null : formatRfc3339(date));
  return { ...counts, noDataSince: time(counts.noDataSince), measuredAt: time(counts.measuredAt) };
}

const time = v.pipe(v.string(), v.transform(parseRfc3339), v.date());
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

const metricCounts = v.object({
  passes: count,
  failures: count,
  inconclusive: count,
  errors: count,
  consecutiveErrors: count,
  consecutiveSuccesses: count,
  noDataSince: v.nullable(time),
  measuredAt: v.nullable(time),
  jobUid: v.exactOptional(v.string()),
  recent: v.exactOptional(v.pipe(v.string(), v.regex(/^[pf]+$/))),
  comparison: v.exactOptional(comparisonState),
});

const measurement = v.pipe(
  v.tupleWithRest([v.string(), time, v.picklist(verdicts), v.nullable(v.number()), v.nullable(v.string())], v.number()),
  v.transform(([metric, at, verdict, value, note, baseline]): Measurement => {
    return { metric, at, verdict, value, note, ...(baseline === undefined ? {} : { baseline }) };
  }),
);

/** `v.record` drops the metrics "constructor" and "prototype". */
const tallies = v.pipe(v.instance(Object), v.transform(Object.entries), v.array(v.tuple([v.string(), metricCounts])));

const run = v.object({
  startedAt: time,
  pause: v.nullable(v.object({ reason: v.picklist(pauseReasons), since: time, message: v.string() })),
  tallies,
  measurements: v.array(measurement),
});

/** Parses the output of `formatAnalysisState`; returns null if any part of it is invalid. */
export function parseAnalysisState(text: string): AnalysisState | null {
  const { success, output } = v.safeParse(run, parseJson(text));
  if (!success) return null;
  const { tallies: counts, measurements, ...rest } = output;
  return { ...rest, counts: new Map(counts), measurements: measurements.slice(-measurementsKept) };
}
