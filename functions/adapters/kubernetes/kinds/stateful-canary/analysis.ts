import { parseAnalysis } from "../../../../domain/analysis/parse-analysis.ts";
import { bindArgs } from "../../../../domain/analysis/template.ts";
import type { StatefulCanary } from "./object.ts";
import { queryNames } from "./set.ts";
import { fieldProblem, type Problem } from "../../../../domain/workload/policy/problem.ts";

/** The name of the metric of the short form in measurements. */
const metricName = "canary";

/** Returns `spec.analysis` in the full form, as JSON; null if there is none. */
export function analysisText({ spec }: StatefulCanary): string | null {
  return spec.analysis === undefined ? null : JSON.stringify(expandShortForm(spec.analysis));
}

/** Returns the problems of `spec.analysis`, each with the path of its field. */
export function analysisProblems(object: StatefulCanary): readonly Problem[] {
  const { analysis } = object.spec;
  if (analysis === undefined) return [];
  if (isShortForm(analysis) && analysis["metrics"] !== undefined) {
    return [problem("metrics and prometheusQuery are mutually exclusive; use one of them")];
  }
  const parsed = parseAnalysis(expandShortForm(analysis));
  const { namespace, name } = object.metadata;
  const bound = Array.isArray(parsed) ? parsed : bindArgs(parsed, { namespace, name, ...queryNames(object) });
  return Array.isArray(bound) ? bound.map(({ reason }) => problem(reason)) : [];
}

function problem(reason: string): Problem {
  return fieldProblem("spec.analysis", "InvalidValue", reason);
}

/** Converts the short form, whose fields describe one metric, to the full form. */
function expandShortForm(analysis: Readonly<Record<string, unknown>>): object {
  if (!isShortForm(analysis)) return analysis;
  const { prometheusQuery: query, prometheusAddress: prometheus, threshold, maxRetries, ...rest } = analysis;
  const metric = { name: metricName, query, threshold, maxRetries };
  return { ...rest, ...(prometheus === undefined ? {} : { prometheus }), metrics: [metric] };
}

function isShortForm(analysis: Readonly<Record<string, unknown>>): boolean {
  return ["prometheusQuery", "threshold", "maxRetries", "prometheusAddress"].some((field) => field in analysis);
}
