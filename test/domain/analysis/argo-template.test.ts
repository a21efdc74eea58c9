import { describe, expect, test } from "vitest";
import { parseAnalysisOrTemplate } from "../../../functions/domain/analysis/argo-template.ts";
import { parseTemplateReference } from "../../../functions/domain/analysis/template-reference.ts";
import { parseAnalysis } from "../../../functions/domain/analysis/parse-analysis.ts";
import type { AnalysisSpec } from "../../../functions/domain/analysis/spec.ts";
import { bindArgs } from "../../../functions/domain/analysis/template.ts";

test.for([
  { text: "AnalysisTemplate/rate", found: { kind: "AnalysisTemplate", name: "rate", args: {} } },
  { text: "rate", found: null },
  { text: "Analysistemplate/rate", found: null },
  { text: "AnalysisTemplate/", found: null },
  { text: "AnalysisTemplate/../secrets/a", found: null },
  { text: "AnalysisTemplate/rate\nmetrics: []", found: null },
])("$text names the template $found", ({ text, found }) => {
  expect(parseTemplateReference(text)).toEqual(found);
});

/** The first example of the documentation of Argo Rollouts. */
const successRate = {
  name: "success-rate",
  interval: "5m",
  successCondition: "result[0] >= 0.95",
  failureLimit: "3",
  count: "{{ args.count }}",
  provider: {
    prometheus: {
      address: "http://prometheus.example.com:9090",
      query: 'sum(rate(requests{service="{{args.service-name}}",pod=~"{{args.pods}}",code!~"5.*"}[5m]))',
    },
  },
};
const args = [{ name: "service-name" }, { name: "count", value: "5" }];

function template(spec: object) {
  return { apiVersion: "argoproj.io/v1alpha1", kind: "AnalysisTemplate", metadata: { name: "rate" }, spec };
}

describe("a template of Argo Rollouts", () => {
  test("is the analysis that its fields say, with the arguments of the workload and of the template", () => {
    const spec = parseAnalysisOrTemplate(template({ args, metrics: [successRate] }), {
      "service-name": "{{args.set}}",
    });
    const own = parseAnalysis({
      prometheus: "http://prometheus.example.com:9090",
      interval: "5m",
      count: 5,
      metrics: [
        {
          name: "success-rate",
          query: 'sum(rate(requests{service="{{args.set}}",pod=~"{{args.pods}}",code!~"5.*"}[5m]))',
          successCondition: "result >= 0.95",
          failureLimit: 3,
          inconclusiveLimit: 0,
        },
      ],
    });
    expect(spec).toEqual(own);
    expect(spec).toMatchObject({ kind: "analysis", intervalSeconds: 300 });
  });

  test("has a metric of the web, one of CloudWatch, and dry runs; without an interval it measures once", () => {
    const web = { url: "https://m.example/rate?service={{args.service-name}}", jsonPath: "{$.rate}", method: "GET" };
    const metrics = [
      { name: "web", failureCondition: "result > 1", consecutiveErrorLimit: 2, provider: { web } },
      {
        name: "cw",
        successCondition: "result < 1",
        consecutiveSuccessLimit: 1,
        inconclusiveLimit: 2,
        provider: { cloudWatch: { metricDataQueries: [{ id: "a", expression: "1", period: 60 }] } },
      },
    ];
    const read = (dryRun?: object[]) =>
      parseAnalysisOrTemplate(template({ args, metrics, dryRun }), { "service-name": "a&b" });
    const spec = read([{ metricName: "cw" }]) as AnalysisSpec;
    expect(spec.metrics).toMatchObject([
      { provider: { kind: "web" }, count: 1, consecutiveErrorLimit: 2, inconclusiveLimit: 0, dryRun: false },
      { provider: { kind: "cloudwatch" }, count: 1, consecutiveSuccesses: 1, inconclusiveLimit: 2, dryRun: true },
    ]);
    expect(read([{ metricName: ".*" }])).toMatchObject([{ reason: expect.stringContaining("are all dry runs") }]);
  });

  test("an argument without a value is one of Pawl, or a problem", () => {
    const spec = parseAnalysisOrTemplate(template({ args, metrics: [successRate] })) as AnalysisSpec;
    expect(bindArgs(spec, { canaryPods: "web" })).toMatchObject([{ part: "args.service-name" }]);
    const bound = bindArgs(spec, { canaryPods: "web", "service-name": "shop" }) as AnalysisSpec;
    expect(bound.metrics[0]?.query).toContain('service="shop",pod=~"web"');
  });

  const { provider, ...rest } = successRate;
  const withMetric = (metric: object) => ({ args, metrics: [{ ...successRate, ...metric }] });
  test.for([
    ...["datadog", "job", "kayenta", "newRelic", "wavefront", "graphite", "influxdb", "skywalking", "plugin"].map(
      (name) => ({
        spec: { metrics: [{ ...rest, provider: { [name]: {} } }] },
        reason: `metrics[0].provider.${name}: is not a known field; known fields are prometheus, web, cloudWatch`,
      }),
    ),
    { spec: withMetric({ provider: { prometheus: { ...provider.prometheus, headers: [] } } }), reason: "headers" },
    { spec: withMetric({ provider: { prometheus: { ...provider.prometheus, insecure: true } } }), reason: "insecure" },
    {
      spec: withMetric({ provider: { web: { url: "https://m.example", method: "POST" } } }),
      reason: '"POST" is not GET',
    },
    { spec: withMetric({ provider: { web: { url: "https://m.example", headers: [] } } }), reason: "headers" },
    { spec: withMetric({ provider: {} }), reason: "needs one of query, cloudWatch, web, job" },
    { spec: withMetric({ successCondition: "all(result, # > 1)" }), reason: "is not a condition" },
    { spec: withMetric({ successCondition: 5 }), reason: "successCondition" },
    { spec: withMetric({ name: "Success Rate" }), reason: "metrics[0].name" },
    { spec: { args: [{ name: "a", valueFrom: {} }], metrics: [successRate] }, reason: "args[0].valueFrom" },
    { spec: { templates: [{ templateName: "other" }], metrics: [] }, reason: "templates: is not a known field" },
    { spec: { ...withMetric({}), dryRun: [{ metricName: "suc.*" }] }, reason: 'dryRun: "suc.*" is neither the name' },
    {
      spec: { metrics: [successRate, { ...successRate, name: "b", interval: "1m" }] },
      reason: "differ in their interval",
    },
    { spec: { metrics: [successRate, { ...successRate, name: "b", count: 1 }] }, reason: "differ in their count" },
    {
      spec: { metrics: [successRate, { ...successRate, name: "b", provider: { prometheus: { query: "up" } } }] },
      reason: "differ in their prometheus",
    },
    { spec: null, reason: "spec: null is not an object" },
  ])("is refused: $reason", ({ spec, reason }) => {
    const problems = parseAnalysisOrTemplate({ kind: "ClusterAnalysisTemplate", spec });
    expect(JSON.stringify(problems).replaceAll("\\", "")).toContain(reason);
    expect(Array.isArray(problems)).toBe(true);
  });

  test("an argument that it does not have is a problem", () => {
    expect(parseAnalysisOrTemplate(template({ args, metrics: [successRate] }), { service: "a" })).toEqual([
      expect.objectContaining({ reason: "args: service is no argument of the template" }),
    ]);
  });

  test.for([null, "text", [], { kind: "Other" }, { metrics: [] }])("%j is an analysis as any other", (input) => {
    expect(parseAnalysisOrTemplate(input)).toEqual(parseAnalysis(input));
  });
});
