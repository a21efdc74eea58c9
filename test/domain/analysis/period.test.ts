import { describe, expect, test } from "vitest";
import { assess } from "../../../functions/domain/analysis/assess.ts";
import { startAnalysis } from "../../../functions/domain/analysis/measure.ts";
import { limitCount } from "../../../functions/domain/analysis/short-run.ts";
import { afterSeconds, analysis, errorRate, noon } from "./samples.ts";

describe("a metric of CloudWatch is first measured when a period that began with the run can be evaluated", () => {
  const query = (period: number) => ({ metricDataQueries: [{ id: "a", expression: "1", period }] });
  test.for([
    { period: 60, startedAfter: 0, waitSeconds: 60 + 120 },
    { period: 60, startedAfter: 1, waitSeconds: 59 + 60 + 120 },
    { period: 300, startedAfter: 60, waitSeconds: 240 + 300 + 120 },
    { period: 60, startedAfter: 1, fields: { initialDelay: "5m" }, waitSeconds: 300 },
    { period: 60, startedAfter: 1, fields: { initialDelay: "1m" }, waitSeconds: 59 + 60 + 120 },
  ])("of $period s, from $startedAfter s after noon $fields: $waitSeconds s", (one) => {
    const { period, startedAfter, fields, waitSeconds } = one;
    const spec = analysis({ ...fields, metrics: [{ ...errorRate, query: null, cloudWatch: query(period) }] });
    const state = startAnalysis(afterSeconds(startedAfter));
    expect(assess(spec, state, afterSeconds(startedAfter))).toEqual({ kind: "running", waitSeconds, due: [] });
    expect(assess(spec, state, afterSeconds(startedAfter + waitSeconds))).toMatchObject({ due: [errorRate.name] });
  });

  test("and at once if it is measured a number of times", () => {
    const spec = analysis({ metrics: [{ ...errorRate, query: null, cloudWatch: query(60) }] });
    expect(assess(limitCount(spec, 3), startAnalysis(noon), noon)).toMatchObject({ due: [errorRate.name] });
  });
});
