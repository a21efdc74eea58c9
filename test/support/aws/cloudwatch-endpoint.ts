import { type AwsAnswer, type AwsCall } from "./aws-services.ts";
import { createMetricMath } from "./metric-math.ts";

/** A metric with one value per period; null if the period has no data point. */
export interface MetricSeries {
  readonly namespace: string;
  readonly metricName: string;
  /** `Name=Value`, separated by commas, in the order of the names. */
  readonly dimensions: string;
  /** The value of the period that starts at this time. */
  readonly valueAt: (epochSeconds: number) => number | null;
}

interface Query {
  readonly Id: string;
  readonly Expression?: string;
  readonly Period?: number;
  readonly ReturnData?: boolean;
  readonly MetricStat?: {
    readonly Metric: {
      readonly Namespace: string;
      readonly MetricName: string;
      readonly Dimensions?: readonly { readonly Name: string; readonly Value: string }[];
    };
    readonly Period: number;
    readonly Stat: string;
  };
}

interface Request {
  readonly MetricDataQueries: readonly Query[];
  readonly StartTime: number;
  readonly EndTime: number;
  readonly ScanBy?: "TimestampDescending" | "TimestampAscending";
}

/** Simulates GetMetricData with the responses of the real API, in the AWS JSON protocol: times are epoch seconds. */
export function cloudWatchEndpoint(series: readonly MetricSeries[]): (call: AwsCall) => AwsAnswer {
  return ({ operation, body }) => {
    if (operation !== "GetMetricData") return awsQueryError("InvalidAction", `${operation} is not simulated`);
    const request = JSON.parse(body) as Request;
    const problem = validationProblem(request);
    if (problem !== null) return awsQueryError("ValidationError", problem);
    const results = request.MetricDataQueries.filter(({ ReturnData = true }) => ReturnData).flatMap((query) =>
      resultsOf(query, request, series),
    );
    return { body: { MetricDataResults: results, Messages: [] } };
  };
}

/** Returns an error of a service that was a query service once: its code is in a header of its own. */
export function awsQueryError(code: string, message: string, status = 400): AwsAnswer {
  const headers = { "x-amzn-query-error": `${code};${status < 500 ? "Sender" : "Receiver"}` };
  return { status, body: { __type: `com.amazonaws.cloudwatch#${code}`, message }, headers };
}

function validationProblem({ MetricDataQueries: queries, StartTime, EndTime }: Request): string | null {
  if (queries.length === 0) return "The parameter MetricDataQueries is required.";
  if (StartTime >= EndTime) return "The parameter StartTime must be less than the parameter EndTime.";
  if (new Set(queries.map(({ Id }) => Id)).size < queries.length) return "The values for parameter id must be unique";
  for (const query of queries) {
    if ((query.Expression === undefined) === (query.MetricStat === undefined))
      return `The parameters MetricDataQueries.member.1.Expression and MetricStat are mutually exclusive`;
  }
  const math = createMetricMath(new Map(queries.map(({ Id }) => [Id, () => null])));
  const broken = queries.find(
    ({ Expression }) => Expression !== undefined && !isSearch(Expression) && !math.isValid(Expression),
  );
  return broken === undefined ? null : `Error in expression '${broken.Id}': Invalid syntax`;
}

/** A search returns one result for each series of its namespace, all with the id of the query. */
function isSearch(expression: string): boolean {
  return expression.startsWith("SEARCH(");
}

function resultsOf(query: Query, request: Request, series: readonly MetricSeries[]): readonly object[] {
  if (query.Expression !== undefined && isSearch(query.Expression)) {
    const [, namespace] = /\{(\w+)/.exec(query.Expression) ?? [];
    const found = series.filter((one) => one.namespace === namespace);
    return found.map(({ valueAt, dimensions }) => resultOf(query.Id, dimensions, 60, valueAt, request));
  }
  const valuesOf = new Map(request.MetricDataQueries.map((one) => [one.Id, statOf(one, series)]));
  const periods = request.MetricDataQueries.flatMap(({ MetricStat }) => MetricStat?.Period ?? []);
  const period = query.MetricStat?.Period ?? query.Period ?? Math.max(60, ...periods);
  const { Expression } = query;
  const valueAt =
    Expression === undefined
      ? statOf(query, series)
      : (time: number) => createMetricMath(valuesOf).evaluate(Expression, time);
  return [resultOf(query.Id, query.Id, period, valueAt, request)];
}

/** A metric that does not exist has no values. */
function statOf({ MetricStat }: Query, series: readonly MetricSeries[]): MetricSeries["valueAt"] {
  const { Namespace, MetricName, Dimensions = [] } = MetricStat?.Metric ?? {};
  const dimensions = Dimensions.map(({ Name, Value }) => `${Name}=${Value}`)
    .toSorted()
    .join(",");
  const found = series.find(
    (one) => one.namespace === Namespace && one.metricName === MetricName && one.dimensions === dimensions,
  );
  return found?.valueAt ?? (() => null);
}

function resultOf(
  Id: string,
  Label: string,
  period: number,
  valueAt: MetricSeries["valueAt"],
  { StartTime, EndTime, ScanBy = "TimestampDescending" }: Request,
): object {
  const points: (readonly [time: number, value: number])[] = [];
  for (let time = Math.floor(StartTime / period) * period; time < EndTime; time += period) {
    const value = time < StartTime ? null : valueAt(time);
    if (value !== null) points.push([time, value]);
  }
  if (ScanBy === "TimestampDescending") points.reverse();
  return {
    Id,
    Label,
    Timestamps: points.map(([time]) => time),
    Values: points.map(([, value]) => value),
    StatusCode: "Complete",
  };
}
