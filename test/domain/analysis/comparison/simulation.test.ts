import { describe, expect, test } from "vitest";
import { isSoak } from "../../../support/property-runs.ts";
import { normal, randomOf } from "../../../support/analysis/random.ts";
import { runRanks, runRates } from "../../../support/analysis/tested-run.ts";
import { nextMinute, settings } from "../../../support/analysis/traffic.ts";
import { analysis } from "../samples.ts";

/** Runs of each setting, and minutes of each run. */
const [runs, minutes] = isSoak ? [1000, 1440] : [200, 60];
/** The default confidence. */
const maxFailures = 0.05;

function metricOf(compare: object) {
  const counts = { numerator: "errors{{args.pods}}", denominator: "requests{{args.pods}}" };
  const fields =
    "test" in compare ? { query: "latency{{args.pods}}", compare } : { compare: { ...counts, ...compare } };
  return analysis({ metrics: [{ name: "compared", ...fields }] }).metrics[0]!;
}

/** The share of runs that fail. */
function failures(run: () => { readonly verdict: string }): number {
  let failed = 0;
  for (let index = 0; index < runs; index++) failed += Number(run().verdict === "fail");
  return failed / runs;
}

describe("a canary of the same version fails at most 5 % of runs", () => {
  // The smallest margin is the hardest.
  const metric = metricOf({ maxIncrease: "0%" });

  test.for(settings)("$requestsPerSecond requests a second, $errorRate errors, a share of $share", (setting) => {
    const random = randomOf(1);
    const run = () => runRates(metric, minutes, () => nextMinute(random, { ...setting, factor: 1 }));
    expect(failures(run)).toBeLessThanOrEqual(maxFailures);
  });

  test("in an outage that both sides see, and while the canary grows", () => {
    const random = randomOf(2);
    const base = { requestsPerSecond: 100, errorRate: 0.01, factor: 1 };
    const run = () =>
      runRates(metric, minutes, (minute) => {
        const share = minute < 20 ? 0.05 : minute < 40 ? 0.25 : 0.5;
        return nextMinute(random, { ...base, share }, minute > 15 && minute < 45 ? 30 : 1);
      });
    expect(failures(run)).toBeLessThanOrEqual(maxFailures);
  });

  test.for([0.1, 0.5] as const)("of latencies, with a spread of %d", (spread) => {
    const random = randomOf(3);
    const sample = () => Math.exp(spread * normal(random));
    const run = () =>
      runRanks(metricOf({ test: "mannWhitney", maxIncrease: "0%" }), minutes, () => [sample(), sample()]);
    expect(failures(run)).toBeLessThanOrEqual(maxFailures);
  });

  test("of latencies that rise and fall at both sides", () => {
    const random = randomOf(4);
    const run = () => {
      let common = 0;
      return runRanks(metricOf({ test: "mannWhitney", maxIncrease: "0%" }), minutes, () => {
        common = 0.9 * common + 0.3 * normal(random);
        return [Math.exp(common + 0.2 * normal(random)), Math.exp(common + 0.2 * normal(random))];
      });
    };
    expect(failures(run)).toBeLessThanOrEqual(maxFailures);
  });
});

test("a change after four hours is found as one after an hour is, and not after hours more", () => {
  const random = randomOf(5);
  const setting = { requestsPerSecond: 100, errorRate: 0.01, share: 0.25 };
  const metric = metricOf({ maxIncrease: "20%" });
  const delays = Array.from({ length: 40 }, () => {
    const from = 240;
    return (
      runRates(metric, 480, (minute) => nextMinute(random, { ...setting, factor: minute > from ? 2 : 1 })).minutes -
      from
    );
  });
  expect(delays.filter((delay) => delay > 0 && delay <= 20).length).toBeGreaterThanOrEqual(36);
});

test.for([
  { spread: 0.1, factor: 1.5, within: 10 },
  { spread: 0.5, factor: 2, within: 40 },
])(
  "latencies $factor times as high, with a spread of $spread, are found within $within measurements",
  ({ spread, factor, within }) => {
    const random = randomOf(6);
    const metric = metricOf({ test: "mannWhitney", maxIncrease: "20%" });
    const sample = (times: number) => times * Math.exp(spread * normal(random));
    const run = () => runRanks(metric, within, () => [sample(factor), sample(1)]);
    expect(failures(run)).toBeGreaterThanOrEqual(0.9);
  },
);
