import { parseYaml } from "../domain/text/parse-yaml.ts";
import { withoutCanary } from "../domain/analysis/bake-run.ts";
import { lasting } from "../domain/analysis/lasting.ts";
import { joinAnalyses } from "../domain/analysis/join-analyses.ts";
import { maxMetrics, parseAnalysis } from "../domain/analysis/parse-analysis.ts";
import { isTemplate, parseTemplateReference, type TemplateReference } from "../domain/analysis/template-reference.ts";
import { shortRunProblem } from "../domain/analysis/period.ts";
import type { AnalysisSpec, QuerySource } from "../domain/analysis/spec.ts";
import { bindArgs } from "../domain/analysis/template.ts";
import { namesOfAllPods } from "../domain/workload/bake/assess-bake.ts";
import type { AnalysisRun, AnalysisSubject } from "../domain/workload/canary/analysis-runs.ts";
import type { Stage } from "../domain/workload/canary/stage.ts";
import { lengthProblem } from "../domain/workload/policy/policy.ts";
import { policyTable } from "../domain/workload/policy/policy-table.ts";
import type { Workload } from "../domain/workload/workload.ts";
import type { Cluster } from "../ports/cluster.ts";
import { shareProviders } from "./query-metric.ts";

export interface AnalysisPorts {
  readonly cluster: Pick<Cluster, "readAnalysis" | "jobProblem">;
  /** Throws `QueryRejected` if the deployment does not allow an address. */
  readonly metricProvider: (address: QuerySource) => Promise<unknown>;
}

interface ReadingPorts {
  readonly cluster: Pick<Cluster, "readAnalysis">;
}

/** `reason` says what is wrong with the analysis, for its owner. */
export interface InvalidAnalysis {
  readonly kind: "invalid";
  readonly reason: string;
}

/**
 * Returns the analysis of a workload with its arguments bound, and several as one; null if the workload has none. It is read at each step,
 * so that an edit applies at once. Throws what the cluster throws.
 */
export async function readAnalysis(
  ports: ReadingPorts,
  workload: Workload,
  subject: AnalysisSubject,
  analysis: string | null = workload.policy.analysis,
): Promise<AnalysisSpec | InvalidAnalysis | null> {
  if (analysis === null) return null;
  const listed = listOf(analysis);
  if (listed.length === 0 || listed.length > maxMetrics) return invalid(`use 1 to ${maxMetrics} analyses`);
  const specs: AnalysisSpec[] = [];
  for (const one of listed) {
    const spec = await readOne(ports, workload, subject, one);
    if (spec.kind === "invalid") return spec;
    specs.push(spec);
  }
  const [only, ...others] = specs;
  const joined = only !== undefined && others.length === 0 ? only : joinAnalyses(specs);
  if (typeof joined === "string") return invalid(joined);
  return (
    (subject === "canary" ? joined : withoutCanary(joined)) ??
    invalid("metrics: compare needs a canary; add a metric without it")
  );
}

/** Returns the analyses that a setting names: a list of them, or the one that it is. */
function listOf(analysis: string): readonly string[] {
  const list = /^\s*\[/.test(analysis) ? parseYaml(analysis) : null;
  if (!Array.isArray(list)) return [analysis];
  return list.map((one: unknown) => (typeof one === "string" ? one.trim() : JSON.stringify(one)));
}

async function readOne(
  { cluster }: ReadingPorts,
  workload: Workload,
  subject: AnalysisSubject,
  analysis: string,
): Promise<AnalysisSpec | InvalidAnalysis> {
  const tooLong = (what: string, text: string) =>
    lengthProblem(what, text, policyTable.analysis.maxLength)?.text ?? null;
  const ownProblem = tooLong("its text", analysis);
  if (ownProblem !== null) return invalid(ownProblem);
  const template = parseTemplateReference(analysis);
  const isRead = template !== null || !isInline(analysis);
  const text = isRead ? await cluster.readAnalysis(workload, analysis) : analysis;
  const source = sourceOf(workload, analysis, template);
  if (text === null) return invalid(`${source} not found`);
  const readProblem = tooLong(source, text);
  if (readProblem !== null) return invalid(readProblem);
  const spec = await parseEither(parseYaml(text), template);
  if (Array.isArray(spec)) return invalid(spec.map(({ reason }) => reason).join("; "));
  const { namespace, name } = workload.ref;
  const names = subject === "canary" ? workload.canaryNames : namesOfAllPods(workload.canaryNames);
  const { stable, stablePods } = names;
  const baseline = { baseline: stable, ...(stablePods === undefined ? {} : { baselinePods: stablePods }) };
  const bound = bindArgs(spec, { namespace, name, ...baseline, ...names });
  return Array.isArray(bound) ? invalid(bound.map(({ reason }) => reason).join("; ")) : bound;
}

/** Returns the analysis of a step of a canary. */
export async function readStepAnalysis(
  ports: ReadingPorts,
  workload: Workload,
  { analysis, durationSeconds }: Extract<Stage, { readonly kind: "measure" }>,
): Promise<AnalysisSpec | InvalidAnalysis | null> {
  const spec = await readAnalysis(ports, workload, "canary", analysis);
  return spec?.kind === "analysis" && durationSeconds !== null ? lasting(spec, durationSeconds) : spec;
}

/** Returns why an analysis cannot work, before its update starts; null if it can. No query is sent, but each address must be allowed. */
export async function analysisProblem(
  ports: AnalysisPorts,
  workload: Workload,
  { subject, analysis, times }: AnalysisRun,
): Promise<string | null> {
  const spec = await readAnalysis(ports, workload, subject, analysis);
  if (spec === null) return null;
  if (spec.kind === "invalid") return spec.reason;
  for (const time of times) {
    const problem = shortRunProblem(spec, time);
    if (problem !== null) return invalid(problem).reason;
  }
  try {
    const open = shareProviders(ports.metricProvider);
    for (const { provider, query } of spec.metrics) {
      if (provider.kind !== "job") await open(provider);
      else {
        const image = provider.usesNewImage ? workload.image : null;
        const problem = await ports.cluster.jobProblem(workload, { template: query, image });
        if (problem !== null) return invalid(problem).reason;
      }
    }
    return null;
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "QueryRejected") throw error;
    return invalid(error.message).reason;
  }
}

/** Few analyses are templates: only these load what parses one. */
async function parseEither(input: unknown, reference: TemplateReference | null) {
  if (!isTemplate(input)) return parseAnalysis(input);
  return (await import("../domain/analysis/argo-template.ts")).parseAnalysisOrTemplate(input, reference?.args);
}

function sourceOf({ ref }: Workload, analysis: string, template: TemplateReference | null): string {
  if (template === null) return `ConfigMap ${ref.namespace}/${analysis} with the key analysis.yaml`;
  return `${template.kind} ${template.kind === "AnalysisTemplate" ? `${ref.namespace}/` : ""}${template.name}`;
}

/** Distinguishes an analysis from the name of a ConfigMap, which has no line breaks, colons or braces. */
function isInline(analysis: string): boolean {
  return /[\n:{]/.test(analysis);
}

function invalid(reason: string): InvalidAnalysis {
  return { kind: "invalid", reason: `the analysis is invalid: ${reason}` };
}
