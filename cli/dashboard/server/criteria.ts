import type { Criterion } from "../../../functions/domain/analysis/condition.ts";
import type { AnalysisSpec } from "../../../functions/domain/analysis/spec.ts";
import type { CriterionRow } from "../detail-model.ts";

/** Returns how each metric of an analysis is judged; none if there is no analysis. */
export function criteriaOf(spec: AnalysisSpec | null): readonly CriterionRow[] {
  return (spec?.metrics ?? []).map(({ name, criterion }) => ({
    metric: name,
    conditions: describe(criterion),
    thresholds: thresholdsOf(criterion),
  }));
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
