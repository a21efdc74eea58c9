import { expect, test } from "vitest";
import { lasting } from "../../../functions/domain/analysis/lasting.ts";
import { parseAnalysis } from "../../../functions/domain/analysis/parse-analysis.ts";

function specOf(fields: object, metric: object) {
  const parsed = parseAnalysis({
    interval: "1m",
    ...fields,
    metrics: [{ name: "m", query: "q", threshold: 1, ...metric }],
  });
  if (Array.isArray(parsed)) throw new Error(JSON.stringify(parsed));
  return parsed;
}

const ofMinutes = { query: null, cloudWatch: { metricDataQueries: [{ id: "a", expression: "1", period: 300 }] } };

test.for([
  { when: "each interval", fields: {}, metric: {}, seconds: 600, count: 11 },
  { when: "the rest of an interval", fields: {}, metric: {}, seconds: 599, count: 10 },
  { when: "after its initial delay", fields: { initialDelay: "5m" }, metric: {}, seconds: 600, count: 6 },
  { when: "once if the delay is longer", fields: { initialDelay: "20m" }, metric: {}, seconds: 600, count: 1 },
  { when: "more often than it may fail", fields: {}, metric: { failureLimit: 3 }, seconds: 60, count: 4 },
  { when: "after its first period, of 5 minutes", fields: {}, metric: ofMinutes, seconds: 1200, count: 2 },
  { when: "until its successes in a row", fields: {}, metric: { consecutiveSuccesses: 3 }, seconds: 600, count: null },
])("measures $when", ({ fields, metric, seconds, count }) => {
  expect(lasting(specOf(fields, metric), seconds).metrics.map((one) => one.count)).toEqual([count]);
});

test("its deadline leaves twice that time, and the time for no data", () => {
  const spec = specOf({}, {});
  expect(lasting(spec, 3600).deadlineSeconds).toBe(7200 + 900);
  expect(lasting(spec, 1).deadlineSeconds).toBe(spec.deadlineSeconds);
});
