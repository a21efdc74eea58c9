import { describe, expect, test } from "vitest";
import { parseAnalysis } from "../../../functions/domain/analysis/parse-analysis.ts";
import { bindArgs } from "../../../functions/domain/analysis/template.ts";
import { analysis } from "./samples.ts";

const counts = { numerator: "errors{{args.pods}}", denominator: "requests{{args.pods}}" };
const args = { stable: "web", canary: "web-canary", stablePods: "^web-1$", canaryPods: "^web-canary-1$" };

function stat(id: string, period = 60, value = "{{args.set}}") {
  const metric = { namespace: "Shop", metricName: id, dimensions: [{ name: "Set", value }] };
  return { id, returnData: id === "errors", metricStat: { metric, period, stat: "Sum" } };
}

function problemsOf(metric: object): string {
  const parsed = parseAnalysis({ metrics: [{ name: "x", ...metric }] });
  return Array.isArray(parsed) ? parsed.map(({ reason }) => reason).join("; ") : "";
}

describe("a comparison by a test", () => {
  test("of counts has defaults", () => {
    const { metrics } = analysis({ metrics: [{ name: "x", compare: { ...counts, maxIncrease: "20%" } }] });
    expect(metrics).toMatchObject([
      {
        query: counts.numerator,
        baselineQuery: counts.numerator,
        denominator: { query: counts.denominator, baselineQuery: counts.denominator },
        criterion: {
          comparison: {
            margin: { direction: 1, relative: 0.2, absolute: 0 },
            test: { kind: "rates", alpha: expect.closeTo(0.05, 9), minSamples: 100 },
          },
        },
      },
    ]);
  });

  test("shares the false failures of the analysis with the other tests, dry runs excepted", () => {
    const compare = { ...counts, maxIncrease: "20%", confidence: 0.9, minSamples: 7 };
    const metrics = [
      { name: "a", compare },
      { name: "b", compare },
      { name: "c", compare, dryRun: true },
      { name: "d", query: "x", threshold: 1 },
    ];
    const tests = analysis({ metrics }).metrics.map(({ criterion }) => criterion.comparison?.test);
    const shared = { kind: "rates", alpha: expect.closeTo(0.05, 9), minSamples: 7 };
    expect(tests).toEqual([shared, shared, shared, undefined]);
  });

  test("has its arguments in each of its queries", () => {
    const spec = analysis({ metrics: [{ name: "x", compare: { ...counts, maxIncrease: "20%" } }] });
    expect(bindArgs(spec, args)).toMatchObject({
      metrics: [
        {
          query: "errors^web-canary-1$",
          baselineQuery: "errors^web-1$",
          denominator: { query: "requests^web-canary-1$", baselineQuery: "requests^web-1$" },
        },
      ],
    });
  });

  test("with an unknown argument is a problem of compare", () => {
    const compare = { ...counts, denominator: "{{args.pods}}{{args.cluster}}", maxIncrease: "20%" };
    const bound = bindArgs(analysis({ metrics: [{ name: "x", compare }] }), args);
    expect(bound).toMatchObject([{ path: "metrics[0].compare", reason: expect.stringContaining("args.cluster") }]);
  });

  test("of CloudWatch names two of its queries", () => {
    const cloudWatch = { metricDataQueries: [stat("errors"), stat("requests")] };
    const compare = { numerator: "errors", denominator: "requests", maxIncrease: "20%" };
    const [metric] = analysis({ metrics: [{ name: "x", cloudWatch, compare }] }).metrics;
    const returned = (query: string | undefined) =>
      (JSON.parse(query ?? "[]") as { id: string; returnData: boolean }[]).flatMap(({ id, returnData }) =>
        returnData ? [id] : [],
      );
    expect([returned(metric?.query), returned(metric?.denominator?.query)]).toEqual([["errors"], ["requests"]]);
    expect(metric).toMatchObject({ provider: { kind: "cloudwatch" }, periodSeconds: 60 });
  });
});

test.for<{ metric: object; message: string }>([
  { metric: { compare: { ...counts } }, message: "needs either maxIncrease or maxDecrease" },
  { metric: { compare: { ...counts, maxIncrease: "1%", maxDecrease: "1%" } }, message: "use two metrics for both" },
  { metric: { compare: { ...counts, maxDecrease: "100%" } }, message: "is 100% or more: no value is that low" },
  {
    metric: { compare: { numerator: "x{{args.pods}}", maxIncrease: "1%" } },
    message: "needs numerator and denominator, or neither",
  },
  {
    metric: { compare: { ...counts, maxIncrease: "1%", minSamples: 0 } },
    message: "0 is not a whole number from 1 to",
  },
  {
    metric: { compare: { ...counts, maxIncrease: "1%", confidence: 1 } },
    message: "1 is not a number from 0.5 to 0.9999",
  },
  {
    metric: { compare: { ...counts, maxIncrease: "1%", test: "mannWhitney" } },
    message: "compare.test: is set in addition to numerator",
  },
  { metric: { query: "{{args.set}}", compare: { maxIncrease: "1%", test: "t" } }, message: '"t" is not mannWhitney' },
  {
    metric: { query: "{{args.set}}", compare: { maxIncrease: "1%", minSamples: 5 } },
    message: "minSamples: needs a test",
  },
  {
    metric: { query: "{{args.set}}", compare: { maxIncrease: "1%", confidence: 0.9 } },
    message: "confidence: needs a test",
  },
  {
    metric: { query: "x", compare: { ...counts, maxIncrease: "1%" } },
    message: "has numerator and denominator in addition to query",
  },
  {
    metric: { compare: { ...counts, denominator: "requests", maxIncrease: "1%" } },
    message: "in compare.denominator: both sides would be equal",
  },
  {
    metric: { compare: { ...counts, denominator: "{{args.pods", maxIncrease: "1%" } },
    message: 'compare.denominator: "{{args.pods" has no closing braces',
  },
  ...["failureLimit", "maxRetries", "inconclusiveLimit", "consecutiveSuccesses"].map((field) => ({
    metric: { compare: { ...counts, maxIncrease: "1%" }, [field]: 1 },
    message: `${field}: does not apply: the test judges the whole run`,
  })),
  {
    metric: {
      cloudWatch: { metricDataQueries: [stat("errors")] },
      compare: { numerator: "errors", denominator: "all", maxIncrease: "1%" },
    },
    message: "names all, which is no id of cloudWatch.metricDataQueries",
  },
  {
    metric: {
      cloudWatch: { metricDataQueries: [stat("errors"), stat("requests", 300)] },
      compare: { numerator: "errors", denominator: "requests", maxIncrease: "1%" },
    },
    message: "has a numerator of 60 s and a denominator of 300 s",
  },
])("names what is wrong: $message", ({ metric, message }) => {
  expect(problemsOf(metric)).toContain(message);
});
