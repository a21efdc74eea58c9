import { parse } from "yaml";
import { assess, type Assessment } from "./domain/analysis/assess.ts";
import { judge, type Outcome, unmeasured } from "./domain/analysis/judge.ts";
import { measure, startAnalysis } from "./domain/analysis/measure.ts";
import { parseAnalysis } from "./domain/analysis/parse-analysis.ts";
import type { AnalysisSpec, MetricSpec } from "./domain/analysis/spec.ts";
import type { AnalysisState } from "./domain/analysis/state.ts";
import { bindArgs } from "./domain/analysis/template.ts";
import type { Workload } from "./domain/workload.ts";
import type { MetricSource } from "./ports/metric-source.ts";
import type { Ports } from "./task.ts";

export interface Analysed {
  readonly state: AnalysisState;
  readonly assessment: Assessment;
}

/** An analysis that cannot be read: what is wrong with it, for its owner. */
export interface Unreadable {
  readonly kind: "unreadable";
  readonly reason: string;
}

/**
 * The analysis of a workload's canary, with its arguments in place; null where none is asked for. It is read at each
 * step, so an edit holds at once. Throws what the cluster throws.
 */
export async function readAnalysis(
  { cluster }: Pick<Ports, "cluster">,
  workload: Workload,
): Promise<AnalysisSpec | Unreadable | null> {
  const { analysis } = workload.policy;
  if (analysis === null) return null;
  const text = isInline(analysis) ? analysis : await cluster.readAnalysis(workload, analysis);
  if (text === null)
    return unreadable(`there is no ConfigMap ${analysis} with a key analysis.yaml in ${workload.ref.namespace}`);
  const spec = parseAnalysis(parseYaml(text));
  if (Array.isArray(spec)) return unreadable(spec.map(({ reason }) => reason).join("; "));
  const { namespace, name } = workload.ref;
  const bound = bindArgs(spec, { namespace, name, ...workload.canaryNames });
  return Array.isArray(bound) ? unreadable(bound.map(({ reason }) => reason).join("; ")) : bound;
}

/** Takes the measurements that are due, and judges all there are. */
export async function analyse(
  { metricSource, now }: Pick<Ports, "metricSource" | "now">,
  spec: AnalysisSpec,
  before: AnalysisState | null,
): Promise<Analysed> {
  let state = before ?? startAnalysis(now());
  const standing = assess(spec, state, now());
  if (standing.kind !== "running" || standing.due.length === 0) return { state, assessment: standing };
  const source = metricSource(spec.prometheus);
  const due = spec.metrics.filter(({ name }) => standing.due.includes(name));
  // At once: ten queries, each with its own time-out, have to fit into one step.
  const outcomes = await Promise.all(due.map((metric) => outcomeOf(source, metric)));
  for (const [index, { name }] of due.entries()) {
    const outcome = outcomes[index];
    if (outcome !== undefined) state = measure(state, name, outcome, now());
  }
  return { state, assessment: assess(spec, state, now()) };
}

/** Names of errors that say that Prometheus was not asked or did not answer; any other is a bug, and the step's. */
const unasked: ReadonlySet<string> = new Set(["Unreachable", "Throttled", "QueryRefused", "Forbidden"]);

/** A Prometheus that cannot be asked is an error of the measurement, with a limit of its own: not of the step. */
async function outcomeOf(source: Promise<MetricSource>, { query, criterion }: MetricSpec): Promise<Outcome> {
  try {
    const reading = await (await source).query(query);
    const outcome = judge(criterion, reading);
    return reading.warnings.length === 0
      ? outcome
      : { ...outcome, note: [outcome.note, ...reading.warnings].filter(Boolean).join("; ") };
  } catch (error) {
    if (error instanceof Error && unasked.has(error.name)) return unmeasured(error.message);
    throw error;
  }
}

/** A name of a ConfigMap has neither line breaks nor colons nor braces; an analysis has. */
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

function unreadable(reason: string): Unreadable {
  return { kind: "unreadable", reason: `the analysis cannot be read: ${reason}` };
}
