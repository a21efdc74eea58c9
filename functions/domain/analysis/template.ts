import { type ParseError, invalid } from "../text/parse-error.ts";
import { splitTemplate } from "../text/placeholders.ts";
import type { SchemaProblem } from "../text/schema-problems.ts";
import { providers } from "./providers/providers.ts";
import type { AnalysisSpec, MetricSpec } from "./spec.ts";

/** Values of `{{args.name}}`, by name: namespace, name, stable, canary, stablePods, canaryPods, and others of the caller. */
export type Args = Readonly<Record<string, string>>;

interface Filled {
  readonly kind: "filled";
  readonly text: string;
}

/** In characters: a query repeats its arguments as often as its author likes, and the names of pods are long. */
const maxQueryLength = 128 * 1024;

const reference = /^\s*args\.([A-Za-z0-9_-]+)\s*$/;
/** Within a label matcher these would end the value, and so allow injection into the query. */
const unsafe = /["'`\\\p{Cc}]/u;

/**
 * Replaces every `{{args.…}}` in every query: `set` and `pods` are those of the canary, and in a baseline query those of the
 * baseline, or else of the stable set. The path of a problem is that of its query.
 */
export function bindArgs(spec: AnalysisSpec, args: Args): AnalysisSpec | SchemaProblem[] {
  const problems: SchemaProblem[] = [];
  const metrics = spec.metrics.map((metric, index) => {
    const isRate = metric.denominator !== null && metric.provider.kind === "prometheus";
    const path = `metrics[${index}].${isRate ? "compare" : providers[metric.provider.kind].field}`;
    const filled = fillQueries(metric, args);
    const denominator = metric.denominator && fillQueries(metric.denominator, args);
    for (const one of [filled, denominator])
      if (one?.kind === "invalid") problems.push({ ...one, path, reason: `${path}: ${one.reason}` });
    if (filled.kind === "invalid" || denominator?.kind === "invalid") return metric;
    return { ...metric, ...filled.queries, denominator: denominator && denominator.queries };
  });
  return problems.length > 0 ? problems : { ...spec, metrics };
}

/** Reports whether a query differs between the canary and the stable set. */
export function isComparable(query: string): boolean {
  return splitTemplate(query).some(({ kind, text }) => {
    return kind === "placeholder" && /^\s*args\.(?:set|pods)\s*$/.test(text);
  });
}

/** Returns the first malformed placeholder, or null. Arguments are not checked. */
export function checkTemplate(text: string): ParseError | null {
  for (const part of splitTemplate(text)) {
    if (part.kind === "unclosed") return invalid(part.text, "has no closing braces");
    if (part.kind === "placeholder" && !reference.test(part.text))
      return invalid(`{{${part.text}}}`, "is not a placeholder; use {{args.name}}");
  }
  return null;
}

type Queries = Pick<MetricSpec, "query" | "baselineQuery">;

function fillQueries(
  { query, baselineQuery }: Queries,
  args: Args,
): { readonly kind: "filled"; readonly queries: Queries } | ParseError {
  const own = fill(query, { ...args, ...setArgs("canary", args) });
  if (own.kind === "invalid") return own;
  if (baselineQuery === null) return { kind: "filled", queries: { query: own.text, baselineQuery } };
  const baseline = fill(baselineQuery, { ...args, ...setArgs("stable", args), ...setArgs("baseline", args) });
  if (baseline.kind === "invalid") return baseline;
  return { kind: "filled", queries: { query: own.text, baselineQuery: baseline.text } };
}

function setArgs(set: "stable" | "canary" | "baseline", { [set]: name, [`${set}Pods`]: pods }: Args): Args {
  return { ...(name === undefined ? {} : { set: name }), ...(pods === undefined ? {} : { pods }) };
}

function fill(text: string, args: Args): Filled | ParseError {
  const filled: string[] = [];
  let length = 0;
  for (const part of splitTemplate(text)) {
    const name = part.text.trim().replace(/^args\./, "");
    const value = part.kind === "placeholder" && Object.hasOwn(args, name) ? args[name] : undefined;
    if (part.kind === "placeholder" && value === undefined)
      return invalid(`args.${name}`, `is unknown; use ${namesOf(args)}`);
    if (value !== undefined && unsafe.test(value))
      return invalid(value, `(args.${name}) must not contain quotes, backslashes or line breaks`);
    length += (value ?? part.text).length;
    if (length > maxQueryLength)
      return invalid(
        text.slice(0, 100),
        `has more than ${maxQueryLength} characters with its arguments; use fewer of them`,
      );
    filled.push(value ?? part.text);
  }
  return { kind: "filled", text: filled.join("") };
}

function namesOf(args: Args): string {
  return Object.keys(args).join(", ") || "no arguments: there are none";
}
