import type { MetricProvider } from "../../ports/metric-provider.ts";
import { QueryRejected, Throttled, Unreachable } from "../../ports/errors.ts";
import { escapeUri } from "../escape-uri.ts";
import { parseJson } from "../oci-registry/http/read-body.ts";
import { retryAfterSeconds } from "../oci-registry/rate-limit-headers.ts";
import type { PrometheusResponse } from "./get.ts";
import { describeError, parseReading } from "./body.ts";

/** Requests a path of Prometheus with its query string: `/api/v1/query?query=up`. */
export type SendQuery = (pathAndQuery: string) => Promise<PrometheusResponse>;

/** Creates a metric provider that sends its queries by `send`. Only `GET /api/v1/query` is used. */
export function createPrometheus(send: SendQuery, source: string, now: () => Date): MetricProvider {
  return {
    async query(query, at) {
      const time = at === undefined ? "" : `&time=${at.getTime() / 1000}`;
      const response = await send(`/api/v1/query?query=${escapeUri(query)}${time}`);
      return parseReading(readAnswer(response, source, now()), source);
    },
  };
}

/** Returns the JSON of an answer; undefined if it is none. Throws what a `MetricProvider` throws. */
export function readAnswer(response: PrometheusResponse, source: string, now: Date): unknown {
  if (response.status !== 200) throw mapResponseError(response, source, now);
  if (response.isComplete) return parseJson(response.body);
  throw new QueryRejected(`${source} answered with more than ${response.body.length} bytes; aggregate the query`, 200);
}

function mapResponseError({ status, headers, body, fix }: PrometheusResponse, source: string, now: Date): Error {
  const message = `${source} answered ${status}${describeError(parseJson(body))}${fix === undefined ? "" : `; ${fix}`}`;
  if (status >= 300 && status < 400) return new QueryRejected(`${message}: redirects are not followed`, status);
  if (status === 429) return new Throttled(message, retryAfterSeconds(toFetchHeaders(headers), now));
  return status >= 400 && status < 500 ? new QueryRejected(message, status) : new Unreachable(message);
}

function toFetchHeaders({ "retry-after": retryAfter }: PrometheusResponse["headers"]): Headers {
  return new Headers(retryAfter === undefined ? {} : { "retry-after": retryAfter });
}
