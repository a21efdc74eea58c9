import type { Ports } from "../contract/ports.ts";
import { assess, type Assessment } from "../domain/analysis/assess.ts";
import { dueMetrics, type RunMoment } from "../domain/analysis/due-metrics.ts";
import { judge, type MeasurementOutcome, unmeasured } from "../domain/analysis/judge.ts";
import { awaitJob, countsOf, measure } from "../domain/analysis/measure.ts";
import type { JobSource } from "../domain/analysis/providers/job.ts";
import type { PendingResult } from "../domain/analysis/query-result.ts";
import type { AnalysisSpec, MetricSpec } from "../domain/analysis/spec.ts";
import type { AnalysisState } from "../domain/analysis/state.ts";
import type { JobProvider } from "../ports/metric-provider.ts";
import { mapConcurrent } from "./map-concurrent.ts";
import { type QuerySourceMetric, queryMetric, shareProviders } from "./query-metric.ts";

export interface AnalysisResult {
  readonly state: AnalysisState;
  readonly assessment: Assessment;
}

type Query = (metric: MetricSpec) => Promise<QuerySourceMetric | PendingResult>;

/** Takes the measurements that are due, and assesses the run with them. `openJob` opens what runs the Job of a metric; absent if it has none. */
export async function measureMetrics(
  { metricProvider, now }: Pick<Ports, "metricProvider" | "now">,
  spec: AnalysisSpec,
  measured: AnalysisState,
  moment: RunMoment,
  openJob?: (name: string, source: JobSource) => JobProvider,
): Promise<AnalysisResult> {
  let state = measured;
  const { due, later } = dueMetrics(spec, measured, now(), moment);
  const openAddress = shareProviders(metricProvider);
  const query = async (metric: MetricSpec) => {
    const { name, provider } = metric;
    if (provider.kind !== "job")
      return queryMetric(await openAddress(provider), metric, countsOf(measured, name).comparison);
    const job = openJob?.(name, provider);
    if (job === undefined) return { outcome: unmeasured("Jobs are not supported here"), warnings: [] };
    const reading = await job.query(metric.query);
    return reading.kind === "pending" ? reading : { ...reading, outcome: judge(metric.criterion, reading) };
  };
  const take = async (metric: MetricSpec) => [metric.name, await measureMetric(query, metric)] as const;
  const isJob = ({ provider }: MetricSpec) => provider.kind === "job";
  // Concurrently: ten queries, each with its own timeout, have to fit into one step. Jobs one after the other: each looks for others.
  const [jobs, queries] = await Promise.all([
    mapConcurrent(due.filter(isJob), 1, take),
    Promise.all(due.filter((metric) => !isJob(metric)).map(take)),
  ]);
  const pending = new Map(later);
  for (const [name, outcome] of [...jobs, ...queries]) {
    if (!("kind" in outcome)) state = measure(state, name, outcome, now());
    else {
      if (outcome.job !== null) state = awaitJob(state, name, outcome.job);
      pending.set(name, outcome.waitSeconds);
    }
  }
  return { state, assessment: assess(spec, state, now(), pending) };
}

/** Error names that mean that the provider returned no measurement. Any other error is a bug and fails the step. */
export const measurementErrors: ReadonlySet<string> = new Set([
  "Unreachable",
  "Throttled",
  "QueryRejected",
  "Forbidden",
]);

/** Whether its Job exists is not known if the cluster does not answer: the step is repeated, and looks again. No Job was created. */
const jobErrors: ReadonlySet<string> = new Set(["Forbidden"]);

/** If the provider cannot be queried, the measurement fails, which has its own limit; the step does not fail. */
async function measureMetric(query: Query, metric: MetricSpec): Promise<MeasurementOutcome | PendingResult> {
  try {
    const measured = await query(metric);
    if (!("outcome" in measured)) return measured;
    const { outcome, warnings } = measured;
    if (warnings.length === 0) return outcome;
    return { ...outcome, note: [outcome.note, ...warnings].filter(Boolean).join("; ") };
  } catch (error) {
    const names = metric.provider.kind === "job" ? jobErrors : measurementErrors;
    if (error instanceof Error && names.has(error.name)) return unmeasured(error.message);
    throw error;
  }
}
