import * as v from "valibot";
import { closedObject, crossCheck, text, unique, wholeNumber } from "../../text/schema.ts";

/** Of the API; an analysis needs a few. */
const maxQueries = 20;
const maxDimensions = 30;
const maxExpressionLength = 2048;
const defaultPeriodSeconds = 60;
/** How late data points usually arrive. */
export const defaultArrivalSeconds = 120;
const daySeconds = 86_400;

function shortText(max: number) {
  const expected = `a text of 1 to ${max} characters`;
  return v.pipe(v.string(expected), v.trim(), v.nonEmpty(expected), v.maxLength(max, expected));
}

const highResolution = [1, 5, 10, 20, 30];
const period = v.pipe(
  wholeNumber(1, daySeconds),
  v.check(
    (seconds) => seconds % 60 === 0 || highResolution.includes(seconds),
    `a multiple of 60, or ${highResolution.join(", ")} for metrics of high resolution`,
  ),
);

const metricStat = closedObject({
  metric: closedObject({
    namespace: shortText(255),
    metricName: shortText(255),
    dimensions: v.nullish(
      v.pipe(
        v.array(closedObject({ name: shortText(255), value: shortText(1024) }), "a list of dimensions"),
        v.maxLength(maxDimensions),
        unique(({ name }) => name, "name"),
      ),
      [],
    ),
  }),
  period,
  stat: shortText(100),
  unit: v.nullish(shortText(20), null),
});

const metricDataQuery = v.pipe(
  closedObject({
    id: text(/^[a-z][A-Za-z0-9_]{0,254}$/, "an id: a letter in lower case, then letters, digits and _"),
    expression: v.nullish(shortText(maxExpressionLength), null),
    metricStat: v.nullish(metricStat, null),
    period: v.nullish(period, null),
    returnData: v.nullish(v.boolean(), true),
  }),
  crossCheck([], ({ expression, metricStat: stat }) => {
    if ((expression === null) !== (stat === null)) return [];
    return [{ path: [], reason: "needs either an expression or a metricStat" }];
  }),
);

/** One query of CloudWatch's GetMetricData, with the names of the API in camel case. */
export type MetricDataQuery = v.InferOutput<typeof metricDataQuery>;

export const metricDataQueries = v.pipe(
  v.array(metricDataQuery, `a list of 1 to ${maxQueries} queries of GetMetricData`),
  v.minLength(1),
  v.maxLength(maxQueries),
  unique((query) => (query as { readonly id?: unknown } | null)?.id, "id"),
  crossCheck([], (queries) => {
    const returned = queries.filter((query: { readonly returnData?: boolean | null } | null) => query?.returnData);
    if (returned.length === 1) return [];
    return [{ path: [], reason: `${returned.length} queries return data; set returnData: false on all but one` }];
  }),
);

/** Returns the query whose result is the value of the metric. */
export function returnedQuery(queries: readonly MetricDataQuery[]): MetricDataQuery | undefined {
  return queries.find(({ returnData }) => returnData);
}

/** Returns the period of the value: that of an expression is its own, or the longest of the other queries. */
export function resultPeriodSeconds(queries: readonly MetricDataQuery[]): number {
  const returned = returnedQuery(queries);
  const own = returned?.metricStat?.period ?? returned?.period;
  const periods = queries.flatMap((query) => query.metricStat?.period ?? query.period ?? []);
  return own ?? (periods.length === 0 ? defaultPeriodSeconds : Math.max(...periods));
}
