import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { parseAnalysis } from "../../functions/domain/analysis/parse-analysis.ts";
import { bindArgs } from "../../functions/domain/analysis/template.ts";
import { readDocument, sectionsOf } from "./document.ts";

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

describe("docs/analysis.md", () => {
  test.for(examples)("has a valid example: $input.metrics.0.name of $input.interval", ({ input }) => {
    const spec = parseAnalysis(input);
    expect(spec).toMatchObject({ kind: "analysis" });
    if (!Array.isArray(spec)) expect(bindArgs(spec, args)).toMatchObject({ kind: "analysis" });
  });

  test("has examples of both providers, and comparisons of both", () => {
    const metrics = examples.flatMap(({ input }) => input.metrics as readonly Record<string, unknown>[]);
    const kinds = metrics.map(
      (metric) => `${"cloudWatch" in metric ? "CloudWatch" : "Prometheus"} ${"compare" in metric}`,
    );
    expect(new Set(kinds)).toEqual(
      new Set(["Prometheus false", "Prometheus true", "CloudWatch false", "CloudWatch true"]),
    );
  });

  test("describes every field of an analysis and of a metric", () => {
    const fields = sectionsOf(text, 2).get("Fields") ?? "";
    const problems = parseAnalysis({ nonsense: 1, metrics: [{ nonsense: 1 }] });
    const reasons = Array.isArray(problems) ? problems.map(({ reason }) => reason) : [];
    const known = reasons.flatMap((reason) => /known fields are (.*)$/.exec(reason)?.[1]?.split(", ") ?? []);
    expect(known.length).toBeGreaterThan(15);
    for (const name of known) expect(fields).toContain(`\`${name}\``);
  });
});
