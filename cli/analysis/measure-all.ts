import { setTimeout as pause } from "node:timers/promises";
import { assess } from "../../functions/domain/analysis/assess.ts";
import type { ComparisonState } from "../../functions/domain/analysis/comparison/comparison.ts";
import { type MeasurementOutcome, unmeasured } from "../../functions/domain/analysis/judge.ts";
import { countsOf, measure, startAnalysis } from "../../functions/domain/analysis/measure.ts";
import type { QueriedMetric, RunEnd } from "../../functions/domain/analysis/short-run.ts";
import type { AnalysisSpec, MetricSpec } from "../../functions/domain/analysis/spec.ts";
import { formatRfc3339 } from "../../functions/domain/text/rfc3339.ts";
import type { MetricProvider } from "../../functions/ports/metric-provider.ts";
import { queryMetric } from "../../functions/workflows/query-metric.ts";
import { InvalidInput } from "../exit-codes.ts";
import { printStderr } from "../output/print.ts";

export interface Line extends MeasurementOutcome {
  readonly metric: string;
  readonly at: string;
  readonly dryRun: boolean;
}

export type OnMeasured = (line: Line) => void;

interface Clock {
  readonly now: () => Date;
  readonly wait: (seconds: number) => Promise<void>;
}

export const systemClock: Clock = { now: () => new Date(), wait: (seconds) => pause(seconds * 1000) };

interface Run {
  readonly spec: AnalysisSpec;
  readonly metrics: readonly QueriedMetric[];
}

/** Measures until there is a verdict, as an update does. */
export async function measureAll(
  { spec, metrics }: Run,
  open: (metric: QueriedMetric) => Promise<MetricProvider>,
  { now, wait }: Clock,
  onMeasured: OnMeasured,
): Promise<RunEnd & { readonly at: Date }> {
  let state = startAnalysis(now());
  for (;;) {
    const assessment = assess(spec, state, now());
    if (assessment.kind !== "running") return { ...assessment, at: now() };
    for (const metric of metrics.filter(({ name }) => assessment.due.includes(name))) {
      const outcome = await evaluateMetric(metric, await open(metric), countsOf(state, metric.name).comparison);
      const at = now();
      state = measure(state, metric.name, outcome, at);
      onMeasured({ metric: metric.name, at: formatRfc3339(at), dryRun: metric.dryRun, ...outcome });
    }
    if (assessment.due.length === 0) await wait(assessment.waitSeconds);
  }
}

/** Evaluates a metric. An unreachable provider is no measurement; a rejected query is an error. */
async function evaluateMetric(
  metric: MetricSpec,
  provider: MetricProvider,
  before: ComparisonState | undefined,
): Promise<MeasurementOutcome> {
  try {
    const { outcome, warnings } = await queryMetric(provider, metric, before);
    for (const warning of warnings) printStderr(`${metric.name}: ${warning}`);
    return outcome;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error.name === "Unreachable" || error.name === "Throttled") return unmeasured(error.message);
    const isQueryError = "status" in error && (error.status === 400 || error.status === 422 || error.status === 200);
    throw isQueryError ? new InvalidInput(`${metric.name}: ${error.message}`, { cause: error }) : error;
  }
}
