import { secondsAfter } from "../../../domain/text/rfc3339.ts";
import {
  type CloudWatchClient,
  GetMetricDataCommand,
  type GetMetricDataOutput,
  type MetricDataQuery as QueryInput,
  type MetricDataResult,
  type StandardUnit,
} from "@aws-sdk/client-cloudwatch";
import {
  defaultArrivalSeconds,
  type MetricDataQuery,
  resultPeriodSeconds,
  returnedQuery,
} from "../../../domain/analysis/providers/metric-data-query.ts";
import { lastPeriodStart } from "../../../domain/analysis/period.ts";
import type { QueryResult } from "../../../domain/analysis/query-result.ts";
import { QueryRejected, Unreachable } from "../../../ports/errors.ts";
import type { MetricProvider } from "../../../ports/metric-provider.ts";
import { mapAwsError } from "../map-error.ts";

interface Options {
  readonly client: CloudWatchClient;
  /** For messages. */
  readonly name: string;
  readonly now: () => Date;
}

/** Functions such as RATE and FILL(m, REPEAT) read the periods before. */
const historyPeriods = 10;

/**
 * Creates a provider that evaluates lists of `MetricDataQuery` by GetMetricData, the only action that it needs. The value is that of
 * one complete period, so it is the same period for all queries at the same time.
 */
export function createCloudWatch({ client, name, now }: Options): MetricProvider {
  return {
    async query(text, at = now(), arrivalSeconds = defaultArrivalSeconds) {
      const queries = JSON.parse(text) as readonly MetricDataQuery[];
      const periodSeconds = resultPeriodSeconds(queries);
      const start = lastPeriodStart(at, { periodSeconds, arrivalSeconds });
      const request = new GetMetricDataCommand({
        MetricDataQueries: queries.map(formatQuery),
        StartTime: secondsAfter(start, -historyPeriods * periodSeconds),
        EndTime: secondsAfter(start, periodSeconds),
        ScanBy: "TimestampDescending",
      });
      const output = await client.send(request).catch((error: unknown) => {
        throw mapError(error, name);
      });
      const results = completeResults(output, returnedQuery(queries)?.id, name);
      const warnings = results.flatMap(({ Messages = [] }) => Messages.map(textOf));
      return { ...readValue(results, start), at, warnings };
    },
  };
}

function formatQuery({ id, expression, metricStat, period, returnData }: MetricDataQuery): QueryInput {
  return {
    Id: id,
    ReturnData: returnData ?? true,
    ...(expression === null ? {} : { Expression: expression }),
    ...(period === null ? {} : { Period: period }),
    ...(metricStat === null ? {} : { MetricStat: formatStat(metricStat) }),
  };
}

function formatStat({
  metric: { namespace, metricName, dimensions },
  period,
  stat,
  unit,
}: NonNullable<MetricDataQuery["metricStat"]>): NonNullable<QueryInput["MetricStat"]> {
  const Dimensions = (dimensions ?? []).map(({ name, value }) => ({ Name: name, Value: value }));
  return {
    Metric: { Namespace: namespace, MetricName: metricName, Dimensions },
    Period: period,
    Stat: stat,
    ...(unit === null ? {} : { Unit: unit as StandardUnit }),
  };
}

/**
 * Returns the results of a query. Throws `Unreachable` if the answer is not complete, and `QueryRejected` if a result may not be read.
 * A message about the whole operation says that CloudWatch executed it in part, such as with too many metrics.
 */
function completeResults(
  { MetricDataResults = [], Messages: partial = [], NextToken }: GetMetricDataOutput,
  id: string | undefined,
  name: string,
): readonly MetricDataResult[] {
  const results = MetricDataResults.filter(({ Id }) => Id === id);
  for (const { StatusCode, Messages = [] } of results) {
    if (StatusCode === "Complete") continue;
    const message = `${name} answered ${StatusCode}${describe(Messages)}`;
    throw StatusCode === "Forbidden" ? new QueryRejected(message, 403) : new Unreachable(message);
  }
  if (NextToken === undefined && partial.length === 0) return results;
  throw new Unreachable(`${name} answered with a part of the result only${describe(partial)}`);
}

function readValue(results: readonly MetricDataResult[], start: Date): QueryResult {
  const [result, ...others] = results;
  if (others.length > 0) return { kind: "several", count: results.length };
  const index = (result?.Timestamps ?? []).findIndex((time) => time.getTime() === start.getTime());
  const value = result?.Values?.[index];
  return value === undefined ? { kind: "none" } : { kind: "value", value };
}

interface Message {
  readonly Code?: string | undefined;
  readonly Value?: string | undefined;
}

function textOf({ Code, Value }: Message): string {
  return Value ?? Code ?? "unknown";
}

function describe(messages: readonly Message[]): string {
  return messages.map((message) => `: ${textOf(message)}`).join("");
}

/** Maps an error of the SDK. What is neither throttling nor a failure of the service rejects the query, or its login. */
function mapError(error: unknown, name: string): unknown {
  const mapped = mapAwsError(error, name);
  if (mapped !== error || !(error instanceof Error)) return mapped;
  const { $metadata } = error as { readonly $metadata?: { readonly httpStatusCode?: number } };
  return new QueryRejected(`${name}: ${error.name}: ${error.message}`, $metadata?.httpStatusCode ?? null, {
    cause: error,
  });
}
