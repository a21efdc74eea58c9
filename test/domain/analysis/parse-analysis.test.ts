import { describe, expect, test } from "vitest";
import { analysis, errorRate, problemsOf } from "./samples.ts";

const { name, query } = errorRate;

const ofHours = { query: null, cloudWatch: { metricDataQueries: [{ id: "a", expression: "1", period: 3600 }] } };

describe("absent fields have defaults", () => {
  test("all of them", () => {
    expect(analysis({})).toEqual({
      kind: "analysis",
      intervalSeconds: 60,
      initialDelaySeconds: 0,
      noDataTimeoutSeconds: 900,
      deadlineSeconds: 2 * (5 + 3) * 60 + 900,
      metrics: [
        {
          name,
          provider: { kind: "prometheus", address: null },
          query,
          baselineQuery: null,
          denominator: null,
          rangeSeconds: 0,
          warmUpSeconds: 0,
          failureWindow: null,
          overlaps: false,
          periodSeconds: null,
          arrivalSeconds: 0,
          criterion: {
            success: null,
            failure: expect.objectContaining({ text: "result > 0.01" }),
            comparison: null,
          },
          count: 5,
          consecutiveSuccesses: null,
          failureLimit: 0,
          inconclusiveLimit: 3,
          consecutiveErrorLimit: null,
          dryRun: false,
        },
      ],
    });
  });

  test.for([
    { fields: { interval: "30s", count: 10 }, metric: {}, deadlineSeconds: 2 * 13 * 30 + 900 },
    { fields: { initialDelay: "2m", count: 1 }, metric: { inconclusiveLimit: 0 }, deadlineSeconds: 120 + 120 + 900 },
    { fields: {}, metric: { consecutiveSuccesses: 3, failureLimit: 1 }, deadlineSeconds: 2 * 15 * 60 + 900 },
    { fields: { noDataTimeout: "1h" }, metric: {}, deadlineSeconds: 2 * 8 * 60 + 3600 },
    { fields: { deadline: "1h" }, metric: {}, deadlineSeconds: 3600 },
    { fields: {}, metric: ofHours, deadlineSeconds: 2 * 3600 + 120 + 2 * 8 * 3600 + 900 },
    { fields: { initialDelay: "3h" }, metric: ofHours, deadlineSeconds: 3 * 3600 + 2 * 8 * 3600 + 900 },
  ])("deadline of $fields $metric: $deadlineSeconds s", ({ fields, metric, deadlineSeconds }) => {
    const spec = analysis({ ...fields, metrics: [{ ...errorRate, ...metric }] });
    expect(spec.deadlineSeconds).toBe(deadlineSeconds);
  });
});

describe("parses a metric", () => {
  test.for([
    { metric: { failureLimit: 2 }, expected: { failureLimit: 2, count: 5 } },
    { metric: { failureLimit: 7 }, expected: { failureLimit: 7, count: 8 } },
    { metric: { maxRetries: 3 }, expected: { failureLimit: 2 } },
    { metric: { maxRetries: 1 }, expected: { failureLimit: 0 } },
    { metric: { maxRetries: 0 }, expected: { failureLimit: 0 } },
    { metric: { consecutiveSuccesses: 3 }, expected: { count: null, consecutiveSuccesses: 3 } },
    { metric: { dryRun: false, inconclusiveLimit: 0 }, expected: { dryRun: false, inconclusiveLimit: 0 } },
    { metric: { consecutiveErrorLimit: 9, dryRun: null }, expected: { consecutiveErrorLimit: 9, dryRun: false } },
    { metric: { threshold: "1e-2" }, expected: { criterion: { failure: { text: "result > 0.01" } } } },
    { metric: { query: "  up\n" }, expected: { query: "up" } },
    {
      metric: { query: "x{{args.pods}}", threshold: null, compare: { maxIncrease: " 12.5%" } },
      expected: {
        query: "x{{args.pods}}",
        baselineQuery: "x{{args.pods}}",
        criterion: {
          success: null,
          failure: null,
          comparison: { margin: { relative: 0.125, absolute: 0, direction: 1 }, test: null },
        },
      },
    },
  ])("$metric", ({ metric, expected }) => {
    expect(analysis({ metrics: [{ ...errorRate, ...metric }] }).metrics).toMatchObject([expected]);
  });

  test("parses the address and the durations of an analysis", () => {
    const spec = analysis({ prometheus: "service://monitoring/prometheus:9090", interval: "1m30s", initialDelay: 0 });
    expect(spec).toMatchObject({
      metrics: [{ provider: { kind: "prometheus", address: "service://monitoring/prometheus:9090" } }],
      intervalSeconds: 90,
      initialDelaySeconds: 0,
    });
  });
});

describe("rejects an analysis", () => {
  test.for([
    { when: "that is null", input: null, paths: [""], message: "analysis: null is not an object" },
    { when: "that is a list", input: [], paths: [""], message: "analysis: [] is not an object" },
    {
      when: "with a metric that is a string",
      input: { metrics: ["up"] },
      paths: ["metrics[0]"],
      message: 'metrics[0]: "up" is not an object',
    },
    {
      when: "with only dry runs",
      input: { metrics: [{ ...errorRate, dryRun: true }] },
      paths: ["metrics"],
      message: "nothing would decide",
    },
    {
      when: "with a duplicate name",
      input: { metrics: [errorRate, errorRate] },
      paths: ["metrics[1].name"],
      message: '"error-rate" is a duplicate of [0].name',
    },
  ])("$when", ({ input, paths, message }) => {
    const problems = problemsOf(input);
    expect(problems.paths).toEqual(paths);
    expect(problems.message).toContain(message);
  });
});

describe("rejects a field", () => {
  test.for([
    { field: { interval: 60 }, path: "interval", message: '"60" has no unit: use 60s' },
    { field: { interval: "0s" }, path: "interval", message: "interval: 0 is not a duration of 1 to 86400 seconds" },
    { field: { interval: true }, path: "interval", message: "true is not a duration such as 90s" },
    { field: { initialDelay: "-1m" }, path: "initialDelay", message: "-60 is not a duration of 0 to 86400 seconds" },
    { field: { count: 0 }, path: "count", message: "0 is not a whole number from 1 to 1000" },
    { field: { count: 1.5 }, path: "count", message: "1.5 is not a whole number" },
    { field: { count: "5" }, path: "count", message: '"5" is not a whole number' },
    { field: { intervall: "1m" }, path: "intervall", message: "is not a known field; did you mean interval?" },
    { field: { prometheus: "prom:9090" }, path: "prometheus", message: "is not the address of a Prometheus" },
    { field: { prometheus: 9090 }, path: "prometheus", message: "9090 is not the address of a Prometheus" },
    { field: { deadline: "8d" }, path: "deadline", message: "unknown unit" },
  ])("$field", ({ field, path, message }) => {
    const problems = problemsOf({ metrics: [errorRate], ...field });
    expect(problems).toEqual({ paths: [path], message: expect.stringContaining(`${path}: `) });
    expect(problems.message).toContain(message);
  });
});
