import { expect, test } from "vitest";
import { parseDuration } from "../../functions/domain/text/duration.ts";
import { analysis } from "../domain/analysis/samples.ts";
import { randomOf } from "../support/analysis/random.ts";
import { runRates } from "../support/analysis/tested-run.ts";
import { nextMinute, settings } from "../support/analysis/traffic.ts";
import { isSoak } from "../support/property-runs.ts";
import { readDocument } from "./document.ts";

const runs = isSoak ? 3000 : 250;

const counts = { numerator: "errors{{args.pods}}", denominator: "requests{{args.pods}}" };
const [metric] = analysis({ metrics: [{ name: "compared", compare: { ...counts, maxIncrease: "20%" } }] }).metrics;

/** The table of docs/how-to/compare-canaries.md: how long it takes to find twice the error rate. */
const rows = [
  ...readDocument("compare-canaries.md").matchAll(/^\| (\d+) \| ([\d.]+) % \| (\w+) \| (\w+) \| (\w+) \|$/gm),
].flatMap(([, requests, errors, ...times]) =>
  [0.05, 0.25, 0.5].map((share, index) => ({
    setting: { requestsPerSecond: Number(requests), errorRate: Math.round(Number(errors) * 10) / 1000, share },
    time: times[index]!,
  })),
);

test("the table has the settings of the simulation", () => {
  expect(rows.map(({ setting }) => setting)).toEqual(settings);
});

test.for(rows)("$setting.requestsPerSecond, $setting.errorRate, $setting.share: $time", ({ setting, time }) => {
  const random = randomOf(11);
  const duration = parseDuration(time);
  const minutes = (duration.kind === "duration" ? duration.seconds : Number.NaN) / 60;
  const found = Array.from({ length: runs }, () =>
    runRates(metric!, minutes, () => nextMinute(random, { ...setting, factor: 2 })),
  );
  const within = (limit: number) => found.filter((run) => run.verdict === "fail" && run.minutes <= limit).length / runs;
  expect(within(minutes)).toBeGreaterThanOrEqual(0.9);
  // It promises no more time than is needed.
  expect(minutes === 1 ? 0 : within(Math.floor(minutes / 2))).toBeLessThan(0.9);
});
