import { describe, expect, test } from "vitest";
import { errorRate, problemsOf } from "./samples.ts";

describe("rejects a field of a metric", () => {
  test.for([
    { metric: { name: "Error Rate" }, path: "name", message: '"Error Rate" is not 1 to 40 of a-z' },
    { metric: { name: undefined }, path: "name", message: "is missing; use 1 to 40 of a-z" },
    { metric: { name: "x".repeat(41) }, path: "name", message: "1 to 40" },
    { metric: { query: " " }, path: "query", message: '"" is not PromQL that returns one number' },
    { metric: { query: undefined }, path: "", message: "needs one of query, cloudWatch, web, job" },
    {
      metric: { cloudWatch: { metricDataQueries: [{ id: "a", expression: "1" }] } },
      path: "",
      message: "needs one of query, cloudWatch, web, job",
    },
    {
      metric: { compare: { maxIncrease: 20 } },
      path: "compare.maxIncrease",
      message: "20 is not a margin such as 20%",
    },
    { metric: { compare: { maxIncrease: "-1%" } }, path: "compare.maxIncrease", message: "is not a margin" },
    { metric: { compare: { maxIncrease: "20%" } }, path: "compare", message: "needs {{args.set}} or {{args.pods}}" },
    {
      metric: {
        query: null,
        cloudWatch: { metricDataQueries: [{ id: "a", expression: "{{args.canary}}" }] },
        compare: { maxIncrease: "20%" },
      },
      path: "compare",
      message: "both sides would be equal",
    },
    { metric: { query: null, compare: { maxIncrease: "20%" } }, path: "", message: "needs one of query" },
    {
      metric: { query: "{{args.canary}} {{args.podsOf}}", compare: { maxIncrease: "20%" } },
      path: "compare",
      message: "both sides would be equal",
    },
    {
      metric: { query: `vector(${"1".repeat(4096)})` },
      path: "query",
      message: "has 4104 characters, at most 4096 allowed",
    },
    { metric: { query: "{{name}}" }, path: "query", message: "use {{args.name}}" },
    {
      metric: { threshold: undefined },
      path: "",
      message: "needs a threshold, a successCondition, a failureCondition or compare",
    },
    { metric: { threshold: "1%" }, path: "threshold", message: '"1%" is not a number' },
    { metric: { threshold: Number.NaN }, path: "threshold", message: "NaN is not a number" },
    {
      metric: { successCondition: "result < 1" },
      path: "threshold",
      message: "is set in addition to a condition; use one or the other",
    },
    {
      metric: { threshold: undefined, failureCondition: "result" },
      path: "failureCondition",
      message: "is not a condition",
    },
    {
      metric: { threshold: undefined, successCondition: 1 },
      path: "successCondition",
      message: "1 is not a condition such as result < 0.01",
    },
    { metric: { failureLimit: -1 }, path: "failureLimit", message: "from 0 to 1000" },
    {
      metric: { failureLimit: 1, maxRetries: 1 },
      path: "maxRetries",
      message: "is set in addition to failureLimit; use one or the other",
    },
    { metric: { dryRun: "yes" }, path: "dryRun", message: '"yes" is not true or false' },
    { metric: { failurelimit: 1 }, path: "failurelimit", message: "is not a known field; did you mean failureLimit?" },
  ])("$metric", ({ metric, path, message }) => {
    const problems = problemsOf({
      metrics: [
        { ...errorRate, name: "other" },
        { ...errorRate, ...metric },
      ],
    });
    expect(problems.message).toContain(message);
    expect(new Set(problems.paths)).toEqual(new Set([`metrics[1]${path && `.${path}`}`]));
  });

  test.for([
    { metric: { failureLimit: 3 }, message: "allows 3 failures in 3 measurements: no success would be needed" },
    { metric: { consecutiveSuccesses: 4 }, message: "4 do not fit into 3 measurements" },
  ])("$metric with a count of 3", ({ metric, message }) => {
    expect(problemsOf({ count: 3, metrics: [{ ...errorRate, ...metric }] }).message).toContain(message);
  });

  test("reports all problems together", () => {
    const input = {
      interval: "1",
      count: -1,
      metrics: [
        { name: "A", query: "up" },
        { ...errorRate, dryRun: 1 },
      ],
    };
    expect(problemsOf(input).paths).toEqual([
      "interval",
      "count",
      "metrics[0].name",
      "metrics[0]",
      "metrics[1].dryRun",
    ]);
  });
});
