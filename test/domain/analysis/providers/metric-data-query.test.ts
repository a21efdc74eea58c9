import { describe, expect, test } from "vitest";
import {
  type MetricDataQuery,
  resultPeriodSeconds,
  returnedQuery,
} from "../../../../functions/domain/analysis/providers/metric-data-query.ts";
import { analysis, problemsOf } from "../samples.ts";

const stat = { metric: { namespace: "Shop", metricName: "Errors" }, period: 60, stat: "Sum" };
const errors = { id: "errors", metricStat: stat, returnData: false };
const rate = { id: "rate", expression: "FILL(errors, 0) / 100" };

function metricOf(cloudWatch: object) {
  return { name: "error-rate", threshold: 0.01, cloudWatch };
}

/** Returns the parsed queries of a metric. */
function queriesOf(metricDataQueries: readonly object[]): readonly MetricDataQuery[] {
  const [metric] = analysis({ metrics: [metricOf({ metricDataQueries })] }).metrics;
  return JSON.parse(metric?.query ?? "") as readonly MetricDataQuery[];
}

describe("a metric of CloudWatch", () => {
  test("has its queries as JSON, with all defaults", () => {
    const dimensions = [{ name: "Deployment", value: "{{args.set}}" }];
    const metricStat = { ...stat, metric: { ...stat.metric, dimensions }, unit: "Count" };
    expect(queriesOf([rate, { ...errors, metricStat }])).toEqual([
      { ...rate, metricStat: null, period: null, returnData: true },
      { ...errors, metricStat, expression: null, period: null },
    ]);
    expect(queriesOf([{ ...errors, returnData: null }])).toEqual([
      {
        id: "errors",
        expression: null,
        metricStat: { ...stat, metric: { ...stat.metric, dimensions: [] }, unit: null },
        period: null,
        returnData: true,
      },
    ]);
  });

  test.for([
    { region: undefined, expected: null },
    { region: null, expected: null },
    { region: "eu-central-1", expected: "eu-central-1" },
  ])("has the region $region", ({ region, expected }) => {
    const [metric] = analysis({ metrics: [metricOf({ region, metricDataQueries: [rate] })] }).metrics;
    expect(metric?.provider).toEqual({ kind: "cloudwatch", address: expected });
  });
});

describe("rejects queries of CloudWatch", () => {
  const at = (path: string) => `metrics[0].cloudWatch${path}`;
  const first = ".metricDataQueries[0]";
  test.for([
    { cloudWatch: {}, path: ".metricDataQueries", message: "is missing; use a list of 1 to 20 queries" },
    { cloudWatch: { region: "moon", metricDataQueries: [rate] }, path: ".region", message: "is not a region such as" },
    { queries: [], path: ".metricDataQueries", message: "" },
    { queries: [{ ...rate, id: "Rate" }], path: `${first}.id`, message: "a letter in lower case" },
    { queries: [{ id: "rate" }], path: first, message: "needs either an expression or a metricStat" },
    { queries: [{ ...errors, expression: "1" }], path: first, message: "needs either an expression or a metricStat" },
    { queries: [rate, rate], path: ".metricDataQueries[1].id", message: '"rate" is a duplicate of [0].id' },
    { queries: [rate, { ...errors, returnData: true }], path: ".metricDataQueries", message: "2 queries return data" },
    { queries: [{ ...rate, period: 45 }], path: `${first}.period`, message: "a multiple of 60, or 1, 5, 10, 20, 30" },
    { queries: [{ ...rate, expression: " " }], path: `${first}.expression`, message: "a text of 1 to 2048 characters" },
    { queries: [{ ...rate, Label: "x" }], path: `${first}.Label`, message: "is not a known field" },
    { queries: [{ ...rate, expression: "{{pods}}" }], path: "", message: "use {{args.name}}" },
    { queries: [{ ...rate, expression: "{{args.pods" }], path: "", message: "has no closing braces" },
    { queries: [null], path: first, message: "" },
  ])("$cloudWatch $queries", ({ cloudWatch, queries, path, message }) => {
    const problems = problemsOf({ metrics: [metricOf(cloudWatch ?? { metricDataQueries: queries })] });
    expect(problems.message).toContain(message);
    expect(problems.paths).toContain(at(path));
  });
});

describe("the period of the value is", () => {
  test.for([
    { what: "its own", queries: [{ ...rate, period: 120 }, errors], seconds: 120 },
    {
      what: "the longest of the metrics of an expression",
      queries: [rate, errors, { ...errors, id: "slow", metricStat: { ...stat, period: 300 } }],
      seconds: 300,
    },
    {
      what: "that of a query of Metrics Insights in an expression",
      queries: [rate, { id: "errors", expression: "SELECT SUM(Errors) FROM Shop", period: 300, returnData: false }],
      seconds: 300,
    },
    { what: "one minute", queries: [rate], seconds: 60 },
  ])("$what", ({ queries, seconds }) => {
    const parsed = queriesOf(queries);
    expect(resultPeriodSeconds(parsed)).toBe(seconds);
    expect(returnedQuery(parsed)?.returnData).toBe(true);
  });
});
