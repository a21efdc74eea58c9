import { parseAnalysis } from "../../../domain/analysis/parse-analysis.ts";
import { bindArgs } from "../../../domain/analysis/template.ts";
import type { StatefulCanary } from "./stateful-canary-object.ts";
import { setNames } from "./stateful-canary-set.ts";

/** The name that the one metric of the short form has in measurements. */
const metricName = "canary";

/** `spec.analysis` in the grammar of all analyses, as JSON; null where there is none. */
export function analysisText({ spec }: StatefulCanary): string | null {
  return spec.analysis === undefined ? null : JSON.stringify(inFull(spec.analysis));
}

/** What is wrong with `spec.analysis`, each said with the path of its field. */
export function analysisProblems(object: StatefulCanary): readonly string[] {
  const { analysis } = object.spec;
  if (analysis === undefined) return [];
  if (isShort(analysis) && analysis["metrics"] !== undefined) {
    return ["spec.analysis: metrics stand beside prometheusQuery: write one or the other"];
  }
  const parsed = parseAnalysis(inFull(analysis));
  const { namespace, name } = object.metadata;
  const bound = Array.isArray(parsed) ? parsed : bindArgs(parsed, { namespace, name, ...setNames(object) });
  return Array.isArray(bound) ? bound.map(({ reason }) => `spec.analysis: ${reason}`) : [];
}

/** The short form has one metric, spread over the fields of the whole. */
function inFull(analysis: Readonly<Record<string, unknown>>): object {
  if (!isShort(analysis)) return analysis;
  const { prometheusQuery: query, prometheusAddress: prometheus, threshold, maxRetries, ...rest } = analysis;
  const metric = { name: metricName, query, threshold, maxRetries };
  return { ...rest, ...(prometheus === undefined ? {} : { prometheus }), metrics: [metric] };
}

function isShort(analysis: Readonly<Record<string, unknown>>): boolean {
  return ["prometheusQuery", "threshold", "maxRetries", "prometheusAddress"].some((field) => field in analysis);
}
