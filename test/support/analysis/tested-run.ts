import { judgeRun } from "../../../functions/domain/analysis/comparison/judge-run.ts";
import type { ComparisonState } from "../../../functions/domain/analysis/comparison/comparison.ts";
import type { Verdict } from "../../../functions/domain/analysis/judge.ts";
import type { MetricSpec } from "../../../functions/domain/analysis/spec.ts";
import type { Minute } from "./traffic.ts";

const value = (number: number) => ({ kind: "value", value: number }) as const;

interface TestedRun {
  readonly verdict: Verdict;
  /** Measurements until then. */
  readonly minutes: number;
}

/** Judges a run of counts minute by minute, until it fails or ends. */
export function runRates(metric: MetricSpec, minutes: number, next: (minute: number) => Minute): TestedRun {
  let state: ComparisonState | undefined;
  let verdict: Verdict = "inconclusive";
  for (let minute = 1; minute <= minutes; minute++) {
    const { canary, stable } = next(minute);
    const outcome = judgeRun(
      metric,
      {
        canary: value(canary.errors),
        stable: value(stable.errors),
        canaryDenominator: value(canary.requests),
        stableDenominator: value(stable.requests),
      },
      state,
    );
    state = outcome?.comparison;
    verdict = outcome?.verdict ?? "error";
    if (verdict === "fail") return { verdict, minutes: minute };
  }
  return { verdict, minutes };
}

/** Judges a run of samples, one of each side a minute, until it fails or ends. */
export function runRanks(metric: MetricSpec, minutes: number, next: () => readonly [number, number]): TestedRun {
  let state: ComparisonState | undefined;
  let verdict: Verdict = "inconclusive";
  for (let minute = 1; minute <= minutes; minute++) {
    const [canary, stable] = next();
    const results = { canary: value(canary), stable: value(stable), canaryDenominator: null, stableDenominator: null };
    const outcome = judgeRun(metric, results, state);
    state = outcome?.comparison;
    verdict = outcome?.verdict ?? "error";
    if (verdict === "fail") return { verdict, minutes: minute };
  }
  return { verdict, minutes };
}
