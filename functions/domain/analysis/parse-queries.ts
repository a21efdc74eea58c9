import type * as v from "valibot";
import { type compareSchema, isGiven } from "./parse-compare.ts";
import type { MetricDataQuery } from "./providers/metric-data-query.ts";
import { resultPeriodSeconds } from "./providers/metric-data-query.ts";
import { givenFields, type WrittenQueries, writtenQuery } from "./providers/providers.ts";
import type { MetricSpec } from "./spec.ts";

export type WrittenMetricQueries = WrittenQueries & {
  readonly compare?: v.InferOutput<typeof compareSchema> | null | undefined;
};

interface MetricQueries extends Pick<MetricSpec, "query" | "provider" | "periodSeconds" | "arrivalSeconds"> {
  readonly denominatorQuery: string | null;
  /** Each text that its owner wrote, with its path. */
  readonly texts: readonly { readonly path: readonly string[]; readonly query: string }[];
}

/** Returns the queries of a valid metric: that of its provider, or those of its counts. */
export function queriesOf(written: WrittenMetricQueries): MetricQueries {
  const { numerator, denominator } = written.compare ?? {};
  const [field] = givenFields(written);
  if (!isGiven(numerator) || !isGiven(denominator)) {
    const { query, ...source } = writtenQuery(written, field!);
    return { ...source, query, denominatorQuery: null, texts: [{ path: [field!], query }] };
  }
  if (field === undefined) {
    const texts = [
      { path: ["compare", "numerator"], query: numerator.query },
      { path: ["compare", "denominator"], query: denominator.query },
    ];
    return { ...numerator, denominatorQuery: denominator.query, texts };
  }
  const { query, ...source } = writtenQuery(written, field);
  const returning = (id: string) => JSON.stringify(returned(query, id));
  return {
    ...source,
    periodSeconds: resultPeriodSeconds(returned(query, numerator.query)),
    query: returning(numerator.query),
    denominatorQuery: returning(denominator.query),
    texts: [{ path: [field], query }],
  };
}

/** Returns why the counts of a metric cannot be measured by what else it has; null if they can. */
export function countsProblem(written: WrittenMetricQueries): string | null {
  const { numerator, denominator } = written.compare ?? {};
  const [field] = givenFields(written);
  if (!isGiven(numerator) || !isGiven(denominator) || field === undefined) return null;
  if (field !== "cloudWatch") return `has numerator and denominator in addition to ${field}; use one or the other`;
  const { query } = writtenQuery(written, field);
  const ids = [numerator.query, denominator.query];
  const unknown = ids.find((id) => !parsed(query).some((one) => one.id === id));
  if (unknown !== undefined) return `names ${unknown}, which is no id of cloudWatch.metricDataQueries`;
  const [one, other] = ids.map((id) => resultPeriodSeconds(returned(query, id)));
  return one === other ? null : `has a numerator of ${one} s and a denominator of ${other} s; use one period`;
}

function parsed(query: string): readonly MetricDataQuery[] {
  return JSON.parse(query) as readonly MetricDataQuery[];
}

function returned(query: string, id: string): readonly MetricDataQuery[] {
  return parsed(query).map((one) => ({ ...one, returnData: one.id === id }));
}
