import { type Invalid, invalid } from "../invalid.ts";
import type { AnalysisProblem } from "./fields.ts";
import type { AnalysisSpec } from "./spec.ts";

/** What `{{args.name}}` stands for, by name: namespace, name, stable, canary, and whatever else the caller knows. */
export type Args = Readonly<Record<string, string>>;

interface Filled {
  readonly kind: "filled";
  readonly text: string;
}

const placeholder = /\{\{(.*?)\}\}/gs;
const reference = /^\s*args\.([A-Za-z0-9_-]+)\s*$/;
/** Within a label matcher these would end the value and begin a query of somebody else's choice. */
const unsafe = /["'`\\\p{Cc}]/u;

/** Replaces every `{{args.…}}` of every query. The path of a problem is that of its query. */
export function bindArgs(spec: AnalysisSpec, args: Args): AnalysisSpec | AnalysisProblem[] {
  const problems: AnalysisProblem[] = [];
  const metrics = spec.metrics.map((metric, index) => {
    const filled = fill(metric.query, args);
    if (filled.kind === "filled") return { ...metric, query: filled.text };
    const path = `metrics[${index}].query`;
    problems.push({ ...filled, path, reason: `${path}: ${filled.reason}` });
    return metric;
  });
  return problems.length > 0 ? problems : { ...spec, metrics };
}

/** The first placeholder that is none, whatever the arguments are; null where all are well formed. */
export function checkTemplate(text: string): Invalid | null {
  for (const [whole, inner = ""] of text.matchAll(placeholder)) {
    if (!reference.test(inner)) return invalid(whole, "is not a placeholder: write {{args.name}}");
  }
  const rest = text.replaceAll(placeholder, "");
  return rest.includes("{{") ? invalid(rest.slice(rest.indexOf("{{")), "has no closing braces") : null;
}

function fill(text: string, args: Args): Filled | Invalid {
  for (const [, inner = ""] of text.matchAll(placeholder)) {
    const name = inner.trim().replace(/^args\./, "");
    const value = Object.hasOwn(args, name) ? args[name] : undefined;
    if (value === undefined) return invalid(`args.${name}`, `is unknown: there are ${namesOf(args)}`);
    if (unsafe.test(value)) return invalid(value, `(args.${name}) may not hold quotes, backslashes or line breaks`);
  }
  const filled = text.replaceAll(placeholder, (_, inner: string) => String(args[inner.trim().replace(/^args\./, "")]));
  return { kind: "filled", text: filled };
}

function namesOf(args: Args): string {
  return Object.keys(args).join(", ") || "none";
}
