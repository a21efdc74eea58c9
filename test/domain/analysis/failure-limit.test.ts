import { describe, expect, test } from "vitest";
import { assess } from "../../../functions/domain/analysis/assess.ts";
import { withoutEnd } from "../../../functions/domain/analysis/bake-run.ts";
import { lasting } from "../../../functions/domain/analysis/lasting.ts";
import { parseAnalysis } from "../../../functions/domain/analysis/parse-analysis.ts";
import { formatAnalysisState, parseAnalysisState } from "../../../functions/domain/analysis/state.ts";
import { afterSeconds, analysis, errorRate, measured } from "./samples.ts";

const specOf = (metric: object, fields: object = {}) => analysis({ ...fields, metrics: [{ ...errorRate, ...metric }] });

describe("failures count among the last measurements", () => {
  test.for([
    { metric: { failureLimit: "1 of 5" }, run: "fppppfppppfpppp", kind: "running" },
    { metric: { failureLimit: "1 of 5" }, run: "ppp", kind: "running" },
    { metric: { failureLimit: "1 of 5" }, run: "fpppf", kind: "fail" },
    { metric: { failureLimit: "1 of 5" }, run: "ppppppppppfeeipf", kind: "fail" },
    { metric: { failureLimit: "0 of 5" }, run: "f", kind: "fail" },
    { metric: { consecutiveFailures: 3 }, run: "ffpffpff", kind: "running" },
    { metric: { consecutiveFailures: 3 }, run: "ppffiff", kind: "fail" },
    { metric: { failureLimit: 2 }, run: "fppppfppppf", kind: "fail" },
  ])("$metric: $run is $kind", ({ metric, run, kind }) => {
    const state = measured(run);
    expect(assess(specOf(metric, { count: 99 }), state, afterSeconds(60)).kind).toBe(kind);
    expect(parseAnalysisState(formatAnalysisState(state))).toEqual(state);
  });

  test("and the reason says so", () => {
    const { kind, reason } = assess(
      specOf({ failureLimit: "1 of 5" }, { count: 99 }),
      measured("pppppff"),
      afterSeconds(60),
    ) as {
      kind: string;
      reason: string;
    };
    expect([kind, reason]).toEqual([
      "fail",
      "error-rate: 2 failures in the last 5, 1 allowed; last: 0.05: result > 0.01",
    ]);
  });
});

describe("a limit that was made for a count is a limit for each such number of measurements, however long the run is", () => {
  const rare = "fpppp".repeat(20);

  test.for([
    { metric: { failureLimit: 1 }, run: rare, kind: "running" },
    { metric: { failureLimit: 1 }, run: `${rare}ff`, kind: "fail" },
    { metric: { failureLimit: 0 }, run: `f${"p".repeat(200)}`, kind: "fail" },
    { metric: { failureLimit: "1 of 9" }, run: "fppppf", kind: "fail" },
  ])("in a bake time, $metric: $run is $kind", ({ metric, run, kind }) => {
    expect(assess(withoutEnd(specOf(metric)), measured(run), afterSeconds(600)).kind).toBe(kind);
  });

  test("in a step with a duration", () => {
    expect(lasting(specOf({ failureLimit: 1 }), 3600).metrics).toMatchObject([{ failureWindow: 5, count: 61 }]);
    expect(lasting(specOf({ failureLimit: 1 }, { count: 101 }), 3600).metrics).toMatchObject([{ failureWindow: null }]);
    expect(lasting(specOf({ consecutiveSuccesses: 2, failureLimit: 1 }), 3600).metrics).toMatchObject([
      { failureWindow: null },
    ]);
  });
});

test.for(["5 of 5", "1 of 1", "1 of 101", "one of five", "-1 of 5", "1 of", 1.5, 1001, true])(
  "%j is no limit",
  (failureLimit) => {
    const problems = parseAnalysis({ count: 200, metrics: [{ ...errorRate, failureLimit }] });
    const reason = expect.stringContaining(
      "is not a whole number from 0 to 1000, or a number of the last 2 to 100 measurements",
    );
    expect(problems).toMatchObject([{ path: "metrics[0].failureLimit", reason }]);
  },
);

test("two limits of failures are a problem", () => {
  const problems = parseAnalysis({ metrics: [{ ...errorRate, failureLimit: 1, consecutiveFailures: 2 }] });
  const reason = expect.stringContaining("is set in addition to failureLimit");
  expect(problems).toMatchObject([{ path: "metrics[0].consecutiveFailures", reason }]);
});

test("a record whose verdicts are not known starts again", () => {
  const text = formatAnalysisState(measured("fp"));
  expect(parseAnalysisState(text)).not.toBeNull();
  expect(parseAnalysisState(text.replace('"fp"', '"px"'))).toBeNull();
  expect(parseAnalysisState(text.replace('"fp"', "7"))).toBeNull();
});
