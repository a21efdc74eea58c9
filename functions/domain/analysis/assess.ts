import { formatDuration } from "../text/duration.ts";
import { secondsBetween } from "../text/rfc3339.ts";
import type { Verdict } from "./judge.ts";
import { countsOf } from "./measure.ts";
import { type MetricStatus, metricStatus } from "./metric-status.ts";
import { firstDelaySeconds, metricIntervalSeconds, secondsUntilNextPeriod, timingOf } from "./period.ts";
import type { AnalysisSpec, MetricSpec } from "./spec.ts";
import type { AnalysisState } from "./state.ts";

export type Assessment =
  /** `due` are the metrics to measure now. If there are none, wait `waitSeconds`, a whole number of at least 1. */
  | { readonly kind: "running"; readonly waitSeconds: number; readonly due: readonly string[] }
  /** Only a pass may be promoted. */
  | { readonly kind: Verdict; readonly reason: string };

/** The value of Argo Rollouts: after an error, retry later than at once and sooner than the interval. */
const minErrorRetrySeconds = 10;
const maxErrorRetrySeconds = 60;

/** Seconds until the next check of metrics whose measurement is not finished, by name. */
export type PendingMetrics = ReadonlyMap<string, number>;

/** Without pass: all metrics have to pass, but one of these is enough. */
const verdictsBySeverity = ["fail", "error", "inconclusive"] as const;

/**
 * Assesses a run. It ends with the first metric that does not pass, and passes when all have; dry runs do not count.
 * Measurements take precedence over the deadline: a late result is still a result. What is `pending` was checked now.
 */
export function assess(
  spec: AnalysisSpec,
  state: AnalysisState,
  now: Date,
  pending: PendingMetrics = new Map(),
): Assessment {
  const statuses = spec.metrics
    .filter(({ dryRun }) => !dryRun)
    .map((metric) => metricStatus(metric, state, spec.noDataTimeoutSeconds));
  for (const kind of verdictsBySeverity) {
    const reason = reasonsOf(statuses, kind);
    if (reason !== "") return { kind, reason };
  }
  if (statuses.every(({ kind }) => kind === "pass")) return { kind: "pass", reason: reasonsOf(statuses, "pass") };
  const leftSeconds = spec.deadlineSeconds - secondsBetween(state.startedAt, now);
  if (leftSeconds <= 0) return { kind: "inconclusive", reason: lateReason(spec, state) };
  return nextStep(spec, state, now, leftSeconds, pending);
}

function nextStep(
  spec: AnalysisSpec,
  state: AnalysisState,
  now: Date,
  leftSeconds: number,
  pending: PendingMetrics,
): Assessment {
  const waits = unfinished(spec, state).map((metric) => ({
    name: metric.name,
    seconds: pending.get(metric.name) ?? secondsUntilDue(metric, spec, state, now),
  }));
  const due = waits.filter(({ seconds }) => seconds <= 0).map(({ name }) => name);
  const shortest = Math.min(leftSeconds, ...waits.map(({ seconds }) => seconds));
  return { kind: "running", waitSeconds: due.length > 0 ? 0 : Math.ceil(shortest), due };
}

/** Includes dry runs: they are measured as long as the run continues. */
function unfinished(spec: AnalysisSpec, state: AnalysisState): readonly MetricSpec[] {
  return spec.metrics.filter((metric) => metricStatus(metric, state, spec.noDataTimeoutSeconds).kind === "running");
}

function secondsUntilDue(metric: MetricSpec, spec: AnalysisSpec, state: AnalysisState, now: Date): number {
  const { measuredAt, noDataSince, jobUid } = countsOf(state, metric.name);
  if (jobUid !== undefined) return 0;
  if (measuredAt === null)
    return firstDelaySeconds(metric, spec, state.startedAt) - secondsBetween(state.startedAt, now);
  const pause =
    noDataSince === null
      ? pauseSeconds(metric, spec, measuredAt)
      : errorRetrySeconds(secondsBetween(noDataSince, measuredAt));
  return pause - secondsBetween(measuredAt, now);
}

function pauseSeconds(metric: MetricSpec, spec: AnalysisSpec, measuredAt: Date): number {
  const { periodSeconds, arrivalSeconds } = metric;
  if (periodSeconds === null) return metricIntervalSeconds(metric, spec);
  const nextSeconds = secondsUntilNextPeriod(measuredAt, { periodSeconds, arrivalSeconds });
  return Math.max(timingOf(metric, spec).intervalSeconds, nextSeconds);
}

/** Half of the time since the first error, so that each pause is half as long again as the one before. */
function errorRetrySeconds(noDataSeconds: number): number {
  return Math.min(Math.max(minErrorRetrySeconds, Math.round(noDataSeconds / 2)), maxErrorRetrySeconds);
}

function lateReason(spec: AnalysisSpec, state: AnalysisState): string {
  const names = unfinished(spec, state)
    .filter(({ dryRun }) => !dryRun)
    .map(({ name }) => name);
  return `not decided within ${formatDuration(spec.deadlineSeconds)}: ${names.join(", ")}`;
}

function reasonsOf(standings: readonly MetricStatus[], kind: Verdict): string {
  return standings.flatMap((standing) => (standing.kind === kind ? [standing.reason] : [])).join("; ");
}

/** Describes why a run is paused, or its last measurement, `error-rate = 0.002: pass`; null before the first. */
export function describeRun({ pause, measurements }: AnalysisState): string | null {
  if (pause !== null) return `paused: ${pause.message}`;
  const last = measurements.at(-1);
  return last === undefined ? null : `${last.metric} = ${last.value ?? "nothing"}: ${last.verdict}`;
}
