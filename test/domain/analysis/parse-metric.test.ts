import { describe, expect, test } from "vitest";
import { errorRate, problemsOf } from "./samples.ts";

describe("a field of a metric is wrong", () => {
  test.for([
    { metric: { name: "Error Rate" }, path: "name", says: "must be 1 to 40 of a-z" },
    { metric: { name: undefined }, path: "name", says: '"" must be' },
    { metric: { name: "x".repeat(41) }, path: "name", says: "1 to 40" },
    { metric: { query: " " }, path: "query", says: "must be a text" },
    { metric: { query: undefined }, path: "query", says: "is missing" },
    { metric: { query: `vector(${"1".repeat(4096)})` }, path: "query", says: "longer than 4096" },
    { metric: { query: "{{name}}" }, path: "query", says: "write {{args.name}}" },
    { metric: { threshold: undefined }, path: "", says: "needs a threshold" },
    { metric: { threshold: "1%" }, path: "threshold", says: '"1%" must be a number' },
    { metric: { threshold: Number.NaN }, path: "threshold", says: "must be a number" },
    { metric: { successCondition: "result < 1" }, path: "threshold", says: "stands beside conditions" },
    {
      metric: { threshold: undefined, failureCondition: "result" },
      path: "failureCondition",
      says: "is not a condition",
    },
    { metric: { threshold: undefined, successCondition: 1 }, path: "successCondition", says: "must be a text" },
    { metric: { failureLimit: -1 }, path: "failureLimit", says: "from 0 to 1000" },
    { metric: { failureLimit: 1, maxRetries: 1 }, path: "maxRetries", says: "beside failureLimit" },
    { metric: { dryRun: "yes" }, path: "dryRun", says: "must be true or false" },
    { metric: { failurelimit: 1 }, path: "failurelimit", says: "is not known" },
  ])("$metric", ({ metric, path, says }) => {
    const problems = problemsOf({
      metrics: [
        { ...errorRate, name: "other" },
        { ...errorRate, ...metric },
      ],
    });
    expect(problems.says).toContain(says);
    expect(new Set(problems.paths)).toEqual(new Set([`metrics[1]${path && `.${path}`}`]));
  });

  test.for([
    { metric: { failureLimit: 3 }, says: "allows 3 failures in 3 measurements: none need pass" },
    { metric: { consecutiveSuccesses: 4 }, says: "4 do not fit into 3 measurements" },
  ])("$metric of a count of 3", ({ metric, says }) => {
    expect(problemsOf({ count: 3, metrics: [{ ...errorRate, ...metric }] }).says).toContain(says);
  });

  test("and each problem is told at once", () => {
    const input = {
      interval: "1",
      count: -1,
      metrics: [
        { name: "A", query: "up" },
        { ...errorRate, dryRun: 1 },
      ],
    };
    expect(problemsOf(input).paths).toEqual([
      "count",
      "metrics[0].name",
      "metrics[0]",
      "metrics[1].dryRun",
      "interval",
    ]);
  });
});
