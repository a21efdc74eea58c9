import { describe, expect, test } from "vitest";
import { analysis, errorRate, problemsOf } from "./samples.ts";

const { name, query } = errorRate;

describe("what is not written takes its default", () => {
  test("everywhere", () => {
    expect(analysis({})).toEqual({
      kind: "analysis",
      prometheus: null,
      intervalSeconds: 60,
      initialDelaySeconds: 0,
      deadlineSeconds: 2 * (5 + 3) * 60 + 300,
      metrics: [
        {
          name,
          query,
          criterion: { success: null, failure: expect.objectContaining({ text: "result > 0.01" }) },
          count: 5,
          consecutiveSuccesses: null,
          failureLimit: 0,
          inconclusiveLimit: 3,
          consecutiveErrorLimit: 4,
          dryRun: false,
        },
      ],
    });
  });

  test.for([
    { written: { interval: "30s", count: 10 }, metric: {}, deadlineSeconds: 2 * 13 * 30 + 300 },
    { written: { initialDelay: "2m", count: 1 }, metric: { inconclusiveLimit: 0 }, deadlineSeconds: 120 + 120 + 300 },
    { written: {}, metric: { consecutiveSuccesses: 3, failureLimit: 1 }, deadlineSeconds: 2 * 15 * 60 + 300 },
    { written: { deadline: "1h" }, metric: {}, deadlineSeconds: 3600 },
  ])("deadline of $written $metric: $deadlineSeconds s", ({ written, metric, deadlineSeconds }) => {
    const spec = analysis({ ...written, metrics: [{ ...errorRate, ...metric }] });
    expect(spec.deadlineSeconds).toBe(deadlineSeconds);
  });

  test("and a dry run lengthens no deadline", () => {
    const dry = { ...errorRate, name: "dry", dryRun: true, inconclusiveLimit: 900 };
    expect(analysis({ metrics: [errorRate, dry] }).deadlineSeconds).toBe(analysis({}).deadlineSeconds);
  });
});

describe("a metric is read", () => {
  test.for([
    { metric: { failureLimit: 2 }, read: { failureLimit: 2, count: 5 } },
    { metric: { failureLimit: 7 }, read: { failureLimit: 7, count: 8 } },
    { metric: { maxRetries: 3 }, read: { failureLimit: 2 } },
    { metric: { maxRetries: 1 }, read: { failureLimit: 0 } },
    { metric: { maxRetries: 0 }, read: { failureLimit: 0 } },
    { metric: { consecutiveSuccesses: 3 }, read: { count: null, consecutiveSuccesses: 3 } },
    { metric: { dryRun: false, inconclusiveLimit: 0 }, read: { dryRun: false, inconclusiveLimit: 0 } },
    { metric: { consecutiveErrorLimit: 9, dryRun: null }, read: { consecutiveErrorLimit: 9, dryRun: false } },
    { metric: { threshold: "1e-2" }, read: { criterion: { failure: { text: "result > 0.01" } } } },
    { metric: { query: "  up\n" }, read: { query: "up" } },
  ])("$metric", ({ metric, read }) => {
    expect(analysis({ metrics: [{ ...errorRate, ...metric }] }).metrics).toMatchObject([read]);
  });

  test("with a count that the whole analysis has, and a row of successes within it", () => {
    const metrics = [{ ...errorRate, consecutiveSuccesses: 3 }];
    expect(analysis({ count: 3, metrics }).metrics).toMatchObject([{ count: 3, consecutiveSuccesses: 3 }]);
  });

  test("an address and durations of the whole", () => {
    const spec = analysis({ prometheus: "service://monitoring/prometheus:9090", interval: "1m30s", initialDelay: 0 });
    expect(spec).toMatchObject({ prometheus: { kind: "service" }, intervalSeconds: 90, initialDelaySeconds: 0 });
  });
});

describe("the whole is wrong", () => {
  test.for([
    { when: "no object", input: "interval: 1m", paths: ["", "metrics"], says: "analysis: must be an object" },
    { when: "null", input: null, paths: ["", "metrics"], says: "must be an object" },
    { when: "a list", input: [], paths: ["", "metrics"], says: "must be an object" },
    { when: "without metrics", input: {}, paths: ["metrics"], says: "a list of 1 to 10 metrics" },
    {
      when: "with metrics that are none",
      input: { metrics: {} },
      paths: ["metrics", "metrics"],
      says: "{} must be a list",
    },
    {
      when: "with eleven",
      input: { metrics: Array.from({ length: 11 }, (_, i) => ({ ...errorRate, name: `m${i}` })) },
      paths: ["metrics"],
      says: "1 to 10",
    },
    {
      when: "with a metric that is no object",
      input: { metrics: ["up"] },
      paths: ["metrics[0]", "metrics[0].name", "metrics[0].query", "metrics[0]"],
      says: "metrics[0]: must be an object",
    },
    {
      when: "with dry runs only",
      input: { metrics: [{ ...errorRate, dryRun: true }] },
      paths: ["metrics"],
      says: "nothing would decide",
    },
    {
      when: "with a name twice",
      input: { metrics: [errorRate, errorRate] },
      paths: ["metrics[1].name"],
      says: '"error-rate" is metrics[0]\'s already',
    },
  ])("$when", ({ input, paths, says }) => {
    const problems = problemsOf(input);
    expect(problems.paths).toEqual(paths);
    expect(problems.says).toContain(says);
  });
});

describe("a field is wrong", () => {
  test.for([
    { field: { interval: 60 }, path: "interval", says: '"60" has no unit: write 60s' },
    { field: { interval: "0s" }, path: "interval", says: "interval: must be from 1 to 86400 seconds" },
    { field: { interval: true }, path: "interval", says: "true must be a text" },
    { field: { initialDelay: "-1m" }, path: "initialDelay", says: "from 0 to" },
    { field: { count: 0 }, path: "count", says: "0 must be a whole number from 1 to 1000" },
    { field: { count: 1.5 }, path: "count", says: "1.5 must be a whole number" },
    { field: { count: "5" }, path: "count", says: '"5" must be a whole number' },
    { field: { intervall: "1m" }, path: "intervall", says: "is not known; known are prometheus, interval" },
    { field: { prometheus: "prom:9090" }, path: "prometheus", says: "is not the address of a Prometheus" },
    { field: { prometheus: 9090 }, path: "prometheus", says: "9090 must be a text" },
    { field: { deadline: "3m", count: 4 }, path: "deadline", says: "too short: what passes is measured for 3m0s" },
    { field: { deadline: "8d" }, path: "deadline", says: "unknown unit" },
  ])("$field", ({ field, path, says }) => {
    const problems = problemsOf({ metrics: [errorRate], ...field });
    expect(problems).toEqual({ paths: [path], says: expect.stringContaining(`${path}: `) });
    expect(problems.says).toContain(says);
  });
});
