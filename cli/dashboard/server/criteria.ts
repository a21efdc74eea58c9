import type { Criterion } from "../../../functions/domain/analysis/condition.ts";
import { strength } from "../../../functions/domain/analysis/comparison/evidence.ts";
import { limitOf } from "../../../functions/domain/analysis/comparison/margin.ts";
import type { Count } from "../../../functions/domain/analysis/comparison/rate-test.ts";
import type { AnalysisState } from "../../../functions/domain/analysis/state.ts";
import type { AnalysisSpec } from "../../../functions/domain/analysis/spec.ts";
import type { CriterionRow, TestRow } from "../detail-model.ts";

/** Returns how each metric of an analysis is judged; none if there is no analysis. */
export function criteriaOf(spec: AnalysisSpec | null): readonly CriterionRow[] {
  return (spec?.metrics ?? []).map(({ name, criterion }) => ({
    metric: name,
    conditions: describe(criterion),
    thresholds: thresholdsOf(criterion),
  }));
}

/** Returns what the tests of a run have compared so far; none before their first measurement. */
export function testsOf(spec: AnalysisSpec | null, run: AnalysisState | null): readonly TestRow[] {
  return [...(run?.counts ?? [])].flatMap(([metric, { comparison: found }]) => {
    if (found === undefined) return [];
    const measured = spec?.metrics.find(({ name }) => name === metric);
    const comparison = measured?.criterion.comparison ?? null;
    const isRate = (measured?.denominator ?? null) !== null;
    const { numerator, denominator } = found.stable;
    return {
      metric,
      canary: sampleOf(found.canary, isRate),
      stable: sampleOf(found.stable, isRate),
      margin: found.margin,
      limit: comparison === null || denominator === 0 ? null : limitOf(comparison.margin, numerator / denominator),
      p: Math.min(1, Math.exp(-strength(found))),
      failsAt: comparison?.test?.alpha ?? null,
      minSamples: comparison?.test?.minSamples ?? null,
    };
  });
}

function sampleOf({ numerator: sum, denominator: n }: Count, isRate: boolean): TestRow["canary"] {
  return { sum, n, interval: isRate && n > 0 && sum <= n ? wilsonInterval(sum / n, n) : null };
}

/** The normal quantile of 97.5 %. */
const z = 1.959964;

/** Returns Wilson's score interval (1927) of 95 % for a share of n. */
function wilsonInterval(share: number, n: number): readonly [number, number] {
  const scale = 1 + z ** 2 / n;
  const center = share + z ** 2 / (2 * n);
  const half = z * Math.sqrt((share * (1 - share)) / n + z ** 2 / (4 * n ** 2));
  return [Math.max(0, (center - half) / scale), Math.min(1, (center + half) / scale)];
}

function describe({ success, failure, comparison }: Criterion): readonly string[] {
  return [
    success === null ? null : `passes if ${success.text}`,
    failure === null ? null : `fails if ${failure.text}`,
    comparison &&
      `fails more than ${comparison.margin.text} ${comparison.margin.direction === 1 ? "above" : "below"} the stable pods`,
  ].filter((text) => text !== null);
}

function thresholdsOf({ success, failure }: Criterion): readonly number[] {
  const comparisons = [success, failure].flatMap((condition) => condition?.anyOf.flat() ?? []);
  return [...new Set(comparisons.map(({ operand }) => operand))];
}
