import { type ParseError, invalid } from "../text/parse-error.ts";
import type { SchemaProblem } from "../text/schema-problems.ts";
import type { AnalysisSpec } from "./spec.ts";

/** Values of `{{args.name}}`, by name: namespace, name, stable, canary, and others of the caller. */
export type Args = Readonly<Record<string, string>>;

interface Filled {
  readonly kind: "filled";
  readonly text: string;
}

const placeholder = /\{\{(.*?)\}\}/gs;
const reference = /^\s*args\.([A-Za-z0-9_-]+)\s*$/;
/** Within a label matcher these would end the value, and so allow injection into the query. */
const unsafe = /["'`\\\p{Cc}]/u;

/** Replaces every `{{args.…}}` in every query. The path of a problem is that of its query. */
export function bindArgs(spec: AnalysisSpec, args: Args): AnalysisSpec | SchemaProblem[] {
  const problems: SchemaProblem[] = [];
  const metrics = spec.metrics.map((metric, index) => {
    const filled = fill(metric.query, args);
    if (filled.kind === "filled") return { ...metric, query: filled.text };
    const path = `metrics[${index}].query`;
    problems.push({ ...filled, path, reason: `${path}: ${filled.reason}` });
    return metric;
  });
  return problems.length > 0 ? problems : { ...spec, metrics };
}

/** Returns the first malformed placeholder, or null. Arguments are not checked. */
export function checkTemplate(text: string): ParseError | null {
  for (const [whole, inner = ""] of text.matchAll(placeholder)) {
    if (!reference.test(inner)) return invalid(whole, "is not a placeholder; use {{args.name}}");
  }
  const rest = text.replaceAll(placeholder, "");
  return rest.includes("{{") ? invalid(rest.slice(rest.indexOf("{{")), "has no closing braces") : null;
}

function fill(text: string, args: Args): Filled | ParseError {
  for (const [, inner = ""] of text.matchAll(placeholder)) {
    const name = inner.trim().replace(/^args\./, "");
    const value = Object.hasOwn(args, name) ? args[name] : undefined;
    if (value === undefined) return invalid(`args.${name}`, `is unknown; use ${namesOf(args)}`);
    if (unsafe.test(value)) return invalid(value, `(args.${name}) must not contain quotes, backslashes or line breaks`);
  }
  const filled = text.replaceAll(placeholder, (_, inner: string) => String(args[inner.trim().replace(/^args\./, "")]));
  return { kind: "filled", text: filled };
}

function namesOf(args: Args): string {
  return Object.keys(args).join(", ") || "no arguments: there are none";
}
