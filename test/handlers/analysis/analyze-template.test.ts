import { expect, test } from "vitest";
import { analyzeCanary } from "../../../functions/handlers/analyze-canary.ts";
import { canaryWorkload } from "../../support/workloads.ts";
import { checkStep } from "../canary/canary-steps.ts";
import { around } from "../steps.ts";

const provider = { prometheus: { query: 'errors{set="{{args.set-name}}"}' } };
const metric = { name: "errors", interval: "1m", count: 2, successCondition: "result[0] < 1", provider };
const template = { kind: "AnalysisTemplate", spec: { args: [{ name: "set-name" }], metrics: [metric] } };

function run(analysis: string, value = 0) {
  const queries: string[] = [];
  const ports = around(canaryWorkload({ policy: { analysis } }), {
    analyses: { "AnalysisTemplate/errors?set-name={{args.canary}}": JSON.stringify(template) },
    measured: (query) => {
      queries.push(query);
      return { kind: "value", value };
    },
  });
  return { ports, queries };
}

test.for([
  { value: 0, kinds: ["running", "pass"] },
  { value: 1, kinds: ["fail"] },
])("a template of Argo Rollouts judges a canary with the value $value: $kinds", async ({ value, kinds }) => {
  const { ports, queries } = run("AnalysisTemplate/errors?set-name={{args.canary}}", value);
  const found: string[] = [];
  for (const _ of kinds) {
    found.push((await analyzeCanary(ports, checkStep)).kind);
    ports.pass(60);
  }
  expect(found).toEqual(kinds);
  expect(new Set(queries)).toEqual(new Set(['errors{set="app-canary"}']));
});

test.for([
  { analysis: "AnalysisTemplate/other", reason: /AnalysisTemplate \S+\/other not found/ },
  { analysis: "ClusterAnalysisTemplate/other?a=b", reason: /ClusterAnalysisTemplate other not found/ },
])("$analysis is invalid: nothing is measured", async ({ analysis, reason }) => {
  const { ports, queries } = run(analysis);
  const result = await analyzeCanary(ports, checkStep);
  expect(result).toMatchObject({ kind: "running", reason: expect.stringMatching(reason) });
  expect(queries).toEqual([]);
});
