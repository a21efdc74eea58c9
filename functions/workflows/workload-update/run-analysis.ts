import type { Ports } from "../../contract/ports.ts";
import { assess, type Assessment } from "../../domain/analysis/assess.ts";
import { type Outcome, unmeasured } from "../../domain/analysis/judge.ts";
import { measure, startAnalysis } from "../../domain/analysis/measure.ts";
import type { AnalysisSpec, MetricSpec } from "../../domain/analysis/spec.ts";
import type { AnalysisState } from "../../domain/analysis/state.ts";
import type { MetricProviders } from "../../ports/metric-provider.ts";
import { queryMetric, shareProviders } from "../query-metric.ts";

interface AnalysisResult {
  readonly state: AnalysisState;
  readonly assessment: Assessment;
}

/** Takes the measurements that are due and assesses all of them. */
export async function runAnalysis(
  { metricProvider, now }: Pick<Ports, "metricProvider" | "now">,
  spec: AnalysisSpec,
  previous: AnalysisState | null,
): Promise<AnalysisResult> {
  let state = previous ?? startAnalysis(now());
  const assessment = assess(spec, state, now());
  if (assessment.kind !== "running" || assessment.due.length === 0) return { state, assessment };
  const open = shareProviders(metricProvider);
  const due = spec.metrics.filter(({ name }) => assessment.due.includes(name));
  // Concurrently: ten queries, each with its own timeout, have to fit into one step.
  const outcomes = await Promise.all(due.map((metric) => measureMetric(open, metric)));
  for (const [index, { name }] of due.entries()) {
    const outcome = outcomes[index];
    if (outcome !== undefined) state = measure(state, name, outcome, now());
  }
  return { state, assessment: assess(spec, state, now()) };
}

/** Error names that mean that the provider returned no measurement. Any other error is a bug and fails the step. */
const measurementErrors: ReadonlySet<string> = new Set(["Unreachable", "Throttled", "QueryRejected", "Forbidden"]);

/** If the provider cannot be queried, the measurement fails, which has its own limit; the step does not fail. */
async function measureMetric(open: MetricProviders, metric: MetricSpec): Promise<Outcome> {
  try {
    const { outcome, warnings } = await queryMetric(await open(metric.provider), metric);
    if (warnings.length === 0) return outcome;
    return { ...outcome, note: [outcome.note, ...warnings].filter(Boolean).join("; ") };
  } catch (error) {
    if (error instanceof Error && measurementErrors.has(error.name)) return unmeasured(error.message);
    throw error;
  }
}
