import { parse } from "yaml";
import type { Ports } from "../../contract/ports.ts";
import type { TaskOutput } from "../../contract/workload-update.ts";
import { assess, type Assessment, lastMeasurement } from "../../domain/analysis/assess.ts";
import { judge, type Outcome, unmeasured } from "../../domain/analysis/judge.ts";
import { measure, startAnalysis } from "../../domain/analysis/measure.ts";
import { parseAnalysis } from "../../domain/analysis/parse-analysis.ts";
import type { AnalysisSpec, MetricSpec } from "../../domain/analysis/spec.ts";
import type { AnalysisState } from "../../domain/analysis/state.ts";
import { bindArgs } from "../../domain/analysis/template.ts";
import { needsContinuation } from "../../domain/execution/history-limit.ts";
import { knownVerdict } from "../../domain/workload/canary/canary.ts";
import type { HeldClaim } from "../../domain/workload/claim.ts";
import type { Workload } from "../../domain/workload/workload.ts";
import type { MetricSource } from "../../ports/metric-source.ts";

export interface AnalysisResult {
  readonly state: AnalysisState;
  readonly assessment: Assessment;
}

/** `reason` says what is wrong with the analysis, for its owner. */
export interface InvalidAnalysis {
  readonly kind: "invalid";
  readonly reason: string;
}

/**
 * Returns the analysis of a workload's canary with its arguments bound; null if the workload has none. It is read at each step, so
 * that an edit applies at once. Throws what the cluster throws.
 */
export async function readAnalysis(
  { cluster }: Pick<Ports, "cluster">,
  workload: Workload,
): Promise<AnalysisSpec | InvalidAnalysis | null> {
  const { analysis } = workload.policy;
  if (analysis === null) return null;
  const text = isInline(analysis) ? analysis : await cluster.readAnalysis(workload, analysis);
  if (text === null)
    return invalid(`ConfigMap ${workload.ref.namespace}/${analysis} with the key analysis.yaml not found`);
  const spec = parseAnalysis(parseYaml(text));
  if (Array.isArray(spec)) return invalid(spec.map(({ reason }) => reason).join("; "));
  const { namespace, name } = workload.ref;
  const bound = bindArgs(spec, { namespace, name, ...workload.canaryNames });
  return Array.isArray(bound) ? invalid(bound.map(({ reason }) => reason).join("; ")) : bound;
}

/** Takes the measurements that are due and assesses all of them. */
export async function runAnalysis(
  { metricSource, now }: Pick<Ports, "metricSource" | "now">,
  spec: AnalysisSpec,
  previous: AnalysisState | null,
): Promise<AnalysisResult> {
  let state = previous ?? startAnalysis(now());
  const assessment = assess(spec, state, now());
  if (assessment.kind !== "running" || assessment.due.length === 0) return { state, assessment };
  const source = metricSource(spec.prometheus);
  const due = spec.metrics.filter(({ name }) => assessment.due.includes(name));
  // Concurrently: ten queries, each with its own timeout, have to fit into one step.
  const outcomes = await Promise.all(due.map((metric) => measureMetric(source, metric)));
  for (const [index, { name }] of due.entries()) {
    const outcome = outcomes[index];
    if (outcome !== undefined) state = measure(state, name, outcome, now());
  }
  return { state, assessment: assess(spec, state, now()) };
}

/** Analyzes the canary of a claimed workload, records new measurements, and returns the result of the step. */
export async function analyzeClaim(
  ports: Pick<Ports, "cluster" | "metricSource" | "now">,
  { workload, inFlight }: HeldClaim,
  executionStartedAt: string,
): Promise<TaskOutput<"AnalyzeCanary">> {
  const known = knownVerdict(workload, inFlight);
  if (known !== null) return { waitSeconds: 0, ...known };
  const spec = await readAnalysis(ports, workload);
  if (spec === null) return { kind: "pass", waitSeconds: 0, reason: "the canary is ready and has no analysis" };
  if (spec.kind === "invalid") return { kind: "fail", waitSeconds: 0, reason: spec.reason };
  const { state, assessment } = await runAnalysis(ports, spec, workload.analysis);
  if (state !== workload.analysis) await ports.cluster.change(workload, { analysis: state });
  if (assessment.kind !== "running") {
    return { kind: assessment.kind === "pass" ? "pass" : "fail", waitSeconds: 0, reason: assessment.reason };
  }
  return {
    kind: needsContinuation(executionStartedAt, ports.now(), spec.intervalSeconds) ? "continue" : "running",
    waitSeconds: assessment.waitSeconds,
    reason: lastMeasurement(state) ?? "no measurement yet",
  };
}

/** Error names that mean that Prometheus returned no measurement. Any other error is a bug and fails the step. */
const measurementErrors: ReadonlySet<string> = new Set(["Unreachable", "Throttled", "QueryRejected", "Forbidden"]);

/** If Prometheus cannot be queried, the measurement fails, which has its own limit; the step does not fail. */
async function measureMetric(source: Promise<MetricSource>, { query, criterion }: MetricSpec): Promise<Outcome> {
  try {
    const reading = await (await source).query(query);
    const outcome = judge(criterion, reading);
    return reading.warnings.length === 0
      ? outcome
      : { ...outcome, note: [outcome.note, ...reading.warnings].filter(Boolean).join("; ") };
  } catch (error) {
    if (error instanceof Error && measurementErrors.has(error.name)) return unmeasured(error.message);
    throw error;
  }
}

/** Distinguishes an analysis from the name of a ConfigMap, which has no line breaks, colons or braces. */
function isInline(analysis: string): boolean {
  return /[\n:{]/.test(analysis);
}

function parseYaml(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return text;
  }
}

function invalid(reason: string): InvalidAnalysis {
  return { kind: "invalid", reason: `the analysis is invalid: ${reason}` };
}
