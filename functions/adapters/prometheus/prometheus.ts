import type { MetricSource } from "../../ports/metric-source.ts";
import { Throttled, Unreachable } from "../errors.ts";
import { escapeUri } from "../escape-uri.ts";
import { parseJson } from "../oci-registry/json.ts";
import { retryAfterSeconds } from "../oci-registry/retry-after.ts";
import type { Answer } from "./get.ts";
import { explanationIn, readingIn } from "./body.ts";
import { QueryRefused } from "./query-refused.ts";

/** Asks for a path under a Prometheus, with its query string: `/api/v1/query?query=up`. */
export type Ask = (pathAndQuery: string) => Promise<Answer>;

/** The query API of a Prometheus that is reached by `ask`. Only `/api/v1/query` is ever asked for, by GET. */
export function prometheus(ask: Ask, place: string, now: () => Date): MetricSource {
  return {
    async query(query) {
      const answer = await ask(`/api/v1/query?query=${escapeUri(query)}`);
      if (answer.status !== 200) throw failureOf(answer, place, now());
      if (!answer.isWhole) {
        throw new QueryRefused(
          `${place} answered with more than ${answer.body.length} bytes: aggregate the query`,
          200,
        );
      }
      return readingIn(parseJson(answer.body), place);
    },
  };
}

function failureOf({ status, headers, body }: Answer, place: string, now: Date): Error {
  const said = `${place} answered ${status}${explanationIn(parseJson(body))}`;
  if (status >= 300 && status < 400) return new QueryRefused(`${said}: redirects are not followed`, status);
  if (status === 429) return new Throttled(said, retryAfterSeconds(asFetchHeaders(headers), now));
  return status >= 400 && status < 500 ? new QueryRefused(said, status) : new Unreachable(said);
}

function asFetchHeaders({ "retry-after": retryAfter }: Answer["headers"]): Headers {
  return new Headers(retryAfter === undefined ? {} : { "retry-after": retryAfter });
}
