import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { assess } from "../../functions/domain/analysis/assess.ts";
import { judge } from "../../functions/domain/analysis/judge.ts";
import { countsOf, measure, startAnalysis } from "../../functions/domain/analysis/measure.ts";
import type { AnalysisSpec, MetricSpec } from "../../functions/domain/analysis/spec.ts";
import type { MetricProvider } from "../../functions/ports/metric-provider.ts";
import { queryMetric } from "../../functions/workflows/query-metric.ts";
import { afterSeconds, noon } from "../domain/analysis/samples.ts";
import { parseAnalysis } from "../../functions/domain/analysis/parse-analysis.ts";
import { bindArgs } from "../../functions/domain/analysis/template.ts";
import { readDocument, root, sectionsOf } from "./document.ts";

const text = ["analysis", "compare-canaries", "metric-providers"].map((page) => readDocument(`${page}.md`)).join("\n");
const examples = [...text.matchAll(/```yaml\n(.*?)```/gs)].map(([, block = ""]) => ({ block, input: parse(block) }));

const args = {
  namespace: "shop",
  name: "web",
  stable: "web",
  canary: "web-canary",
  stablePods: "^web-[a-z0-9]+$",
  canaryPods: "^web-canary-[a-z0-9]+$",
};

/** Runs an example to its verdict: queries of errors return a small or a large number at the canary, and Jobs succeed or fail. */
async function runExample(spec: AnalysisSpec, errors: number): Promise<string> {
  const isOwn = (query: string) => /canary/.test(query);
  const count = (query: string) => {
    // A share, or a latency in seconds, a count of requests, and one of errors.
    if (!query.startsWith("sum(increase")) return isOwn(query) ? 0.0005 + errors : 0.0005;
    if (!/code=~/.test(query)) return 10_000;
    return isOwn(query) ? 10 + 5000 * errors : 10;
  };
  const provider: MetricProvider = {
    query: async (query) => ({ kind: "value", value: count(query), at: null, warnings: [] }),
  };
  let state = startAnalysis(noon);
  for (let seconds = 0; ;) {
    const assessment = assess(spec, state, afterSeconds(seconds));
    if (assessment.kind !== "running") return assessment.kind;
    for (const metric of spec.metrics.filter(({ name }) => assessment.due.includes(name))) {
      const isJob = metric.provider.kind === "job";
      const { outcome } = isJob
        ? { outcome: judge(metric.criterion, { kind: "value", value: errors }) }
        : await queryMetric(provider, metric, countsOf(state, metric.name).comparison);
      state = measure(state, metric.name, outcome, afterSeconds(seconds));
    }
    seconds += assessment.waitSeconds;
  }
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** The fields that are known at each path of an analysis. */
const known = knownFields();

function knownFields(): ReadonlyMap<string, readonly string[]> {
  const other = { nonsense: 1 };
  const metricStat = { ...other, metric: { ...other, dimensions: [other] } };
  const cloudWatch = { ...other, metricDataQueries: [{ ...other, metricStat }] };
  const problems = parseAnalysis({ ...other, metrics: [{ ...other, cloudWatch, web: other, compare: other }] });
  const all = Array.isArray(problems) ? problems : [];
  return new Map(
    all.flatMap(({ path, reason }) => {
      const [, names] = /known fields are (.*)$/.exec(reason) ?? [];
      return names === undefined ? [] : [[path.replace(/\.?nonsense$/, ""), names.split(", ")] as const];
    }),
  );
}

describe("docs/how-to/analysis.md", () => {
  test.for(examples)("has a valid example: $input.metrics.0.name of $input.interval", ({ input }) => {
    const spec = parseAnalysis(input);
    expect(Array.isArray(spec) ? spec : bindArgs(spec, args)).toMatchObject({ kind: "analysis" });
  });

  test.for(examples)("obeys its own rules: $input.metrics.0.name of $input.interval", async ({ input }) => {
    const parsed = parseAnalysis(input);
    const spec = Array.isArray(parsed) ? parsed : bindArgs(parsed, args);
    if (Array.isArray(spec)) throw new Error(spec.map(({ reason }) => reason).join());
    // The interval is as long as the longest range, and what is noisy has a test.
    const isTested = ({ baselineQuery, criterion }: MetricSpec) =>
      baselineQuery === null || criterion.success !== null || criterion.comparison?.test !== null;
    const broken = spec.metrics.filter(
      (metric) =>
        metric.rangeSeconds > spec.intervalSeconds ||
        metric.overlaps ||
        (/rate|latency/.test(metric.name) && !isTested(metric)),
    );
    expect(broken).toEqual([]);
    const verdicts = await Promise.all([0, 1].map((errors) => runExample(spec, errors)));
    expect(verdicts).toEqual(["pass", "fail"]);
  });

  test("has examples of both providers, and comparisons of both", () => {
    const metrics = examples.flatMap(({ input }) => input.metrics as readonly Record<string, unknown>[]);
    const kinds = metrics.map(
      (metric) =>
        `${"job" in metric ? "Job" : "cloudWatch" in metric ? "CloudWatch" : "Prometheus"} ${"compare" in metric}`,
    );
    expect(new Set(kinds)).toEqual(
      new Set(["Job false", "Prometheus false", "Prometheus true", "CloudWatch false", "CloudWatch true"]),
    );
  });

  test("describes every field of an analysis and of a metric", () => {
    const fields = sectionsOf(text, 2).get("Fields") ?? "";
    for (const path of ["", "metrics[0]"])
      for (const name of known.get(path) ?? []) expect(fields).toContain(`\`${name}\``);
  });
});

describe("the CRD of StatefulCanary", () => {
  const crd = parse(readFileSync(join(root, "infra/cluster/crds/stateful-canary.yaml"), "utf8"));
  const { properties } = crd.spec.versions[0].schema.openAPIV3Schema.properties.spec;
  const shortForm = new Set(["prometheusQuery", "prometheusAddress", "threshold", "maxRetries"]);

  test.for([...known])("has the fields of an analysis at '%s'", ([path, names]) => {
    const steps = path.split(/\.|(?=\[)/).filter(Boolean);
    const schema = steps.reduce(
      (at: Schema | undefined, step) => (step.startsWith("[") ? at?.items : at?.properties?.[step]),
      properties.analysis as Schema,
    );
    const found = Object.keys(schema?.properties ?? {}).filter((name) => path !== "" || !shortForm.has(name));
    expect(found.toSorted()).toEqual(names.toSorted());
  });
});
