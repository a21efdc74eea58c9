import Table from "cli-table3";
import { formatDuration } from "../../functions/domain/text/duration.ts";
import { randomOf } from "../../test/support/analysis/random.ts";
import { type Minute, nextMinute, type Traffic } from "../../test/support/analysis/traffic.ts";
import { argo, kayenta, pawl, type Rule } from "./rules.ts";

// Judges the same series by three rules. Argo's failure limit and Kayenta's period are the best for each setting: those with the fewest false
// failures of all that find a defect as early as Pawl. `--quick`: fewer settings and runs.

const isQuick = process.argv.includes("--quick");
const runs = isQuick ? 150 : 1000;
const minutes = 60;
const periods = [1, 2, 5, 10, 15, 20, 30, 60];

const all = [
  { requestsPerSecond: 20, errorRate: 0.01, share: 0.25 },
  { requestsPerSecond: 100, errorRate: 0.003, share: 0.25 },
  { requestsPerSecond: 100, errorRate: 0.01, share: 0.05 },
  { requestsPerSecond: 100, errorRate: 0.01, share: 0.25 },
  { requestsPerSecond: 1000, errorRate: 0.003, share: 0.05 },
  { requestsPerSecond: 1000, errorRate: 0.01, share: 0.05 },
  { requestsPerSecond: 1000, errorRate: 0.01, share: 0.25 },
  { requestsPerSecond: 10_000, errorRate: 0.003, share: 0.05 },
];
const settings = isQuick ? [all[0]!, all[3]!, all[5]!] : all;

function seriesOf(traffic: Traffic, seed: number): readonly (readonly Minute[])[] {
  const random = randomOf(seed);
  return Array.from({ length: runs }, () => Array.from({ length: minutes }, () => nextMinute(random, traffic)));
}

interface Result {
  /** The share of runs of equal versions that fail. */
  readonly falseFailures: number;
  /** Minutes in which 90 % of the runs with twice the errors fail. */
  readonly found: number;
}

function resultOf(rule: Rule, same: readonly (readonly Minute[])[], worse: readonly (readonly Minute[])[]): Result {
  const falseFailures = same.filter((series) => rule(series) < Infinity).length / runs;
  return { falseFailures, found: worse.map(rule).toSorted((one, other) => one - other)[Math.ceil(runs * 0.9) - 1]! };
}

/** Returns the best result of a rule that finds as early as `limit`; without one, the earliest. */
function best(results: readonly Result[], limit: number): Result {
  const early = results.filter(({ found }) => found <= limit);
  return early.length > 0
    ? early.toSorted((one, other) => one.falseFailures - other.falseFailures)[0]!
    : results.toSorted((one, other) => one.found - other.found)[0]!;
}

function format({ falseFailures, found }: Result): string {
  const time = found === Infinity ? `over ${formatDuration(minutes * 60)}` : formatDuration(found * 60);
  return `${(100 * falseFailures).toFixed(1)} %, ${time}`;
}

const table = new Table({ head: ["requests/s", "errors", "canary", "Pawl", "Kayenta", "Argo Rollouts"] });
let isBetter = true;
for (const setting of settings) {
  const same = seriesOf({ ...setting, factor: 1 }, 1);
  const worse = seriesOf({ ...setting, factor: 2 }, 2);
  const own = resultOf(pawl, same, worse);
  const limits = Array.from({ length: minutes }, (_, failureLimit) => failureLimit);
  const others = [
    periods.map((period) => resultOf(kayenta(period), same, worse)),
    limits.map((limit) => resultOf(argo(1.5 * setting.errorRate, limit), same, worse)),
  ].map((results) => best(results, own.found));
  const isWorse = ({ falseFailures, found }: Result) => found <= own.found && falseFailures < own.falseFailures;
  if (others.some(isWorse) || own.falseFailures > 0.05) isBetter = false;
  const { requestsPerSecond, errorRate, share } = setting;
  table.push([requestsPerSecond, `${errorRate * 100} %`, `${share * 100} %`, ...[own, ...others].map(format)]);
}
console.log(`false failures in ${minutes} minutes of equal versions; time in which 90 % of twice the errors are found`);
console.log(table.toString());
if (!isBetter) {
  console.error(
    "Pawl has more false failures than another rule that finds as early; change the alternatives in evidence.ts",
  );
  process.exitCode = 1;
}
