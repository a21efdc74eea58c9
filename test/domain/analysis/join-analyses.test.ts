import { expect, test } from "vitest";
import { assess } from "../../../functions/domain/analysis/assess.ts";
import { joinAnalyses } from "../../../functions/domain/analysis/join-analyses.ts";
import { measure, startAnalysis } from "../../../functions/domain/analysis/measure.ts";
import { afterSeconds, analysis, errorRate } from "./samples.ts";

const fast = analysis({ interval: "1m", noDataTimeout: "5m", metrics: [errorRate] });
const slow = analysis({
  interval: "10m",
  initialDelay: "2m",
  deadline: "2h",
  metrics: [{ ...errorRate, name: "latency" }],
});
const joined = joinAnalyses([fast, slow]);
if (typeof joined === "string") throw new Error(joined);

test("several analyses have the longest deadline and noDataTimeout", () => {
  expect(joined).toMatchObject({ intervalSeconds: 60, deadlineSeconds: 7200, noDataTimeoutSeconds: 900 });
});

test("each metric keeps the delay and the interval of its own analysis", () => {
  const due = (seconds: number, state = startAnalysis(afterSeconds(0))) => {
    const assessment = assess(joined, state, afterSeconds(seconds));
    return assessment.kind === "running" && assessment.due;
  };
  expect([due(0), due(120)]).toEqual([["error-rate"], ["error-rate", "latency"]]);
  const pass = { verdict: "pass", value: 0, note: null } as const;
  const measured = ["error-rate", "latency"].reduce(
    (state, name) => measure(state, name, pass, afterSeconds(120)),
    startAnalysis(afterSeconds(0)),
  );
  expect([due(179, measured), due(180, measured), due(720, measured)]).toEqual([
    [],
    ["error-rate"],
    ["error-rate", "latency"],
  ]);
});

test.for([
  { of: [fast, fast], reason: "metric error-rate is in several of its analyses; rename one" },
  {
    of: [0, 1].map((side) => ({
      ...fast,
      metrics: Array.from({ length: 6 }, (_, index) => ({ ...slow.metrics[0], name: `m-${side}-${index}` })),
    })),
    reason: "its analyses have 12 metrics together; use at most 10",
  },
])("cannot be joined: $reason", ({ of, reason }) => {
  expect(joinAnalyses(of as Parameters<typeof joinAnalyses>[0])).toBe(reason);
});
