import * as v from "valibot";
import { splitTemplate } from "../text/placeholders.ts";
import { type SchemaProblem, validate } from "../text/schema-problems.ts";
import { closedObject, trimmedText } from "../text/schema.ts";
import { parseAnalysis } from "./parse-analysis.ts";
import type { AnalysisSpec } from "./spec.ts";
import type { Args } from "./template.ts";
import { isTemplate } from "./template-reference.ts";

const any = v.optional(v.unknown());
const metricSchema = closedObject({
  name: trimmedText("a name"),
  interval: any,
  initialDelay: any,
  count: any,
  successCondition: any,
  failureCondition: any,
  failureLimit: any,
  inconclusiveLimit: v.optional(v.unknown(), 0),
  consecutiveErrorLimit: any,
  consecutiveSuccessLimit: any,
  provider: closedObject({
    prometheus: v.optional(closedObject({ address: any, query: any })),
    web: v.optional(closedObject({ method: v.optional(v.literal("GET")), url: any, jsonPath: any })),
    cloudWatch: v.optional(closedObject({ metricDataQueries: any })),
  }),
});

const template = closedObject({
  args: v.optional(v.array(closedObject({ name: trimmedText("a name"), value: v.optional(v.string()) })), []),
  metrics: v.array(metricSchema),
  dryRun: v.optional(v.array(closedObject({ metricName: trimmedText("the name of a metric, or .*") })), []),
});

type Template = v.InferOutput<typeof template>;
type Metric = v.InferOutput<typeof metricSchema>;

/** What an analysis of Pawl has once, and a template for each metric. */
const shared = {
  interval: ({ interval }: Metric) => interval,
  initialDelay: ({ initialDelay }: Metric) => initialDelay,
  // Without an interval, Argo Rollouts measures once.
  count: ({ count, interval }: Metric) => (interval === undefined ? (count ?? 1) : count),
  prometheus: ({ provider }: Metric) => provider.prometheus?.address,
} as const;

/** Parses an analysis, or a template of Argo Rollouts: its documented subset. Arguments that are not given are those of its queries. */
export function parseAnalysisOrTemplate(input: unknown, args: Args = {}): AnalysisSpec | SchemaProblem[] {
  if (!isTemplate(input)) return parseAnalysis(input);
  const read = validate(template, input.spec, "spec");
  if (read.kind === "invalid") return read.problems;
  const problems = problemsOf(read.value, args);
  if (problems.length > 0) return problems;
  const values = { ...Object.fromEntries(read.value.args.map(({ name, value }) => [name, value])), ...args };
  const metrics = mapTexts(read.value.metrics, (text) => fill(text, values)) as readonly Metric[];
  const common = Object.entries(shared).map(([field, of]) => [field, number(metrics.map(of).find(isSet))]);
  const names = new Set(read.value.dryRun.map(({ metricName }) => metricName));
  return parseAnalysis({
    ...Object.fromEntries(common),
    metrics: metrics.map((one) => ({ ...toMetric(one), dryRun: names.has(one.name) || names.has(".*") })),
  });
}

function problemsOf({ args, metrics, dryRun }: Template, given: Args): SchemaProblem[] {
  const known = new Set(args.map(({ name }) => name));
  const unknown = Object.keys(given).filter((name) => !known.has(name));
  const names = new Set([".*", ...metrics.map(({ name }) => name)]);
  const unmatched = dryRun.filter(({ metricName }) => !names.has(metricName));
  const differing = Object.entries(shared).filter(([field, of]) => {
    const measured = field === "prometheus" ? metrics.filter(({ provider }) => provider.prometheus) : metrics;
    return new Set(measured.map((one) => JSON.stringify(of(one)))).size > 1;
  });
  return [
    ...unknown.map((name) => problem("args", `${name} is no argument of the template`)),
    ...unmatched.map(({ metricName }) => problem("dryRun", `"${metricName}" is neither the name of a metric nor .*`)),
    ...differing.map(([field]) => problem("metrics", `differ in their ${field}; use a template for each of them`)),
  ];
}

function problem(path: string, reason: string): SchemaProblem {
  return { kind: "invalid", path, part: path, reason: `${path}: ${reason}` };
}

/** Argo Rollouts has the result of Prometheus as a list, of which Pawl allows one entry. */
function toMetric({ name, provider, ...metric }: Metric) {
  const condition = (text: unknown) => (typeof text === "string" ? text.replaceAll(/\bresult\[0\]/g, "result") : text);
  const { query } = provider.prometheus ?? {};
  const { method: _, ...web } = provider.web ?? {};
  return {
    name,
    query,
    web: provider.web && web,
    cloudWatch: provider.cloudWatch,
    successCondition: condition(metric.successCondition),
    failureCondition: condition(metric.failureCondition),
    failureLimit: number(metric.failureLimit),
    inconclusiveLimit: number(metric.inconclusiveLimit),
    consecutiveErrorLimit: number(metric.consecutiveErrorLimit),
    consecutiveSuccesses: number(metric.consecutiveSuccessLimit),
  };
}

/** Numbers may be texts, because they may be arguments. */
function number(value: unknown): unknown {
  return typeof value === "string" && /^\d{1,6}$/.test(value) ? Number(value) : value;
}

function isSet(value: unknown): boolean {
  return value !== undefined;
}

function fill(text: string, values: Readonly<Record<string, string | undefined>>): string {
  const parts = splitTemplate(text).map((part) => {
    if (part.kind !== "placeholder") return part.text;
    const name = part.text.trim().replace(/^args\./, "");
    return (Object.hasOwn(values, name) ? values[name] : undefined) ?? `{{${part.text}}}`;
  });
  return parts.join("");
}

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === "string") return map(value);
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, map));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapTexts(one, map)]));
}
