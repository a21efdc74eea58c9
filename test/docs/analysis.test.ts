import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { parseAnalysis } from "../../functions/domain/analysis/parse-analysis.ts";
import { bindArgs } from "../../functions/domain/analysis/template.ts";
import { readDocument, root, sectionsOf } from "./document.ts";

const text = readDocument("analysis.md");
const examples = [...text.matchAll(/```yaml\n(.*?)```/gs)].map(([, block = ""]) => ({ block, input: parse(block) }));

const args = {
  namespace: "shop",
  name: "web",
  stable: "web",
  canary: "web-canary",
  stablePods: "^web-[a-z0-9]+$",
  canaryPods: "^web-canary-[a-z0-9]+$",
};

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
  const problems = parseAnalysis({ ...other, metrics: [{ ...other, cloudWatch, compare: other }] });
  const all = Array.isArray(problems) ? problems : [];
  return new Map(
    all.flatMap(({ path, reason }) => {
      const [, names] = /known fields are (.*)$/.exec(reason) ?? [];
      return names === undefined ? [] : [[path.replace(/\.?nonsense$/, ""), names.split(", ")] as const];
    }),
  );
}

describe("docs/analysis.md", () => {
  test.for(examples)("has a valid example: $input.metrics.0.name of $input.interval", ({ input }) => {
    const spec = parseAnalysis(input);
    expect(Array.isArray(spec) ? spec : bindArgs(spec, args)).toMatchObject({ kind: "analysis" });
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
