import { secondsBetween } from "../text/rfc3339.ts";
import { assess, type PendingMetrics } from "./assess.ts";
import { countsOf, nextMeasurement } from "./measure.ts";
import type { AnalysisSpec, MetricSpec } from "./spec.ts";
import type { AnalysisState } from "./state.ts";

export interface RunMoment {
  /** Whether the start of the run is recorded: the names of its Jobs contain it. */
  readonly isRecorded: boolean;
  /** Whether the bake time is over: only what has begun continues, and what was never measured begins. */
  readonly isEnding: boolean;
}

interface DueMetrics {
  readonly due: readonly MetricSpec[];
  /** Metrics that are due and must not begin now, with the seconds until the next check. */
  readonly later: PendingMetrics;
}

const recordingSeconds = 1;
const endingSeconds = 60;

/**
 * Returns the metrics to measure now; none if the run is decided. A Job that runs is read past the deadline too, once: its result
 * takes precedence.
 */
export function dueMetrics(spec: AnalysisSpec, state: AnalysisState, now: Date, moment: RunMoment): DueMetrics {
  const isLate = secondsBetween(state.startedAt, now) >= spec.deadlineSeconds;
  const assessment = assess({ ...spec, deadlineSeconds: Infinity }, state, now);
  const names = assessment.kind === "running" ? assessment.due : [];
  const all = spec.metrics.filter(({ name }) => names.includes(name));
  const isRunning = ({ name }: MetricSpec) => countsOf(state, name).jobUid !== undefined;
  if (isLate) return { due: all.filter(isRunning), later: new Map() };
  const laterSeconds = (metric: MetricSpec) => (isRunning(metric) ? 0 : secondsUntilJob(metric, state, moment));
  const later = all.map((metric) => [metric.name, laterSeconds(metric)] as const).filter(([, seconds]) => seconds > 0);
  return { due: all.filter((metric) => laterSeconds(metric) === 0), later: new Map(later) };
}

function secondsUntilJob(
  { name, provider }: MetricSpec,
  state: AnalysisState,
  { isRecorded, isEnding }: RunMoment,
): number {
  if (provider.kind !== "job") return 0;
  if (!isRecorded) return recordingSeconds;
  return isEnding && nextMeasurement(state, name) > 1 ? endingSeconds : 0;
}
