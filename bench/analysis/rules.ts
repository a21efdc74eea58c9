import { analysis } from "../../test/domain/analysis/samples.ts";
import { runRates } from "../../test/support/analysis/tested-run.ts";
import type { Minute } from "../../test/support/analysis/traffic.ts";

/** Returns the minute in which a rule fails a series; Infinity if it does not. */
export type Rule = (series: readonly Minute[]) => number;

const counts = { numerator: "errors{{args.pods}}", denominator: "requests{{args.pods}}", maxIncrease: "20%" };
const [metric] = analysis({ metrics: [{ name: "errors", compare: counts }] }).metrics;

/** Pawl's test, as docs/how-to/compare-canaries.md recommends it. */
export const pawl: Rule = (series) => {
  const run = runRates(metric!, series.length, (minute) => series[minute - 1]!);
  return run.verdict === "fail" ? run.minutes : Infinity;
};

/** Argo Rollouts: a threshold of 1.5 times the error rate, which has to be known, and a failure limit. */
export function argo(threshold: number, failureLimit: number): Rule {
  return (series) => {
    let failures = 0;
    for (const [index, { canary }] of series.entries()) {
      failures += Number(canary.errors / canary.requests > threshold);
      if (failures > failureLimit) return index + 1;
    }
    return Infinity;
  };
}

/** Of Kayenta's judge, in NetflixACAJudge.scala and MannWhitneyClassifier.scala. */
const tolerance = 0.25;
/** Of the normal distribution at the confidence of 0.98. */
const quantile = 2.326;
/** Kayenta has no verdict on less. */
const minMinutes = 5;

/**
 * Kayenta: the samples so far are judged every so many minutes. The canary is high if the confidence interval of the shift, after Hodges and
 * Lehmann, is above a quarter of its estimate.
 */
export function kayenta(everyMinutes: number): Rule {
  return (series) => {
    for (let minute = everyMinutes; minute <= series.length; minute += everyMinutes)
      if (minute >= minMinutes && isHigh(series.slice(0, minute))) return minute;
    return Infinity;
  };
}

const judged = new WeakMap<Minute, boolean>();

/** The verdict on a series is kept by its last minute: the periods share it. */
function isHigh(series: readonly Minute[]): boolean {
  const last = series.at(-1)!;
  const known = judged.get(last) ?? judgeShift(series);
  judged.set(last, known);
  return known;
}

function judgeShift(series: readonly Minute[]): boolean {
  const rates = (side: "canary" | "stable") => series.map(({ [side]: { errors, requests } }) => errors / requests);
  const stable = rates("stable");
  const shifts = Float64Array.from(rates("canary").flatMap((one) => stable.map((other) => one - other))).toSorted();
  const size = series.length;
  const estimate = shifts[Math.floor(shifts.length / 2)]!;
  const rank = Math.floor((size * size) / 2 - quantile * Math.sqrt((size * size * (2 * size + 1)) / 12));
  return rank >= 0 && shifts[rank]! > tolerance * Math.abs(estimate);
}
