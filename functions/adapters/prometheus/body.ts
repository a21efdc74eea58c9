import type { MetricReading } from "../../ports/metric-source.ts";
import { Unreachable } from "../errors.ts";
import { QueryRefused } from "./query-refused.ts";

interface Body {
  readonly status: string;
  readonly data?: { readonly resultType?: unknown; readonly result?: unknown };
  readonly warnings?: unknown;
  readonly infos?: unknown;
}

/** An entry of a vector; a native histogram has no `value`. */
interface Sample {
  readonly value?: unknown;
}

const longestText = 300;

/** What an answer of `/api/v1/query` says. Throws `QueryRefused` where it can be no number, `Unreachable` where it is none of Prometheus's. */
export function readingIn(body: unknown, place: string): MetricReading {
  if (!isBody(body) || body.status !== "success") throw notPrometheus(place);
  const { resultType, result } = body.data ?? {};
  const warnings = [...textsOf(body.warnings), ...textsOf(body.infos)];
  if (resultType === "scalar") return { kind: "value", value: numberOf(result, place), warnings };
  if (resultType === "string") throw new QueryRefused(`${place}: the query gives a text, and not a number`, 200);
  if (resultType === "matrix") {
    throw new QueryRefused(`${place}: the query gives ranges: put rate(), increase() or the like around them`, 200);
  }
  if (resultType !== "vector" || !Array.isArray(result)) throw notPrometheus(place);
  const [sample, ...others] = result as readonly Sample[];
  if (sample === undefined) return { kind: "none", warnings };
  if (others.length > 0) return { kind: "several", count: result.length, warnings };
  if (sample.value === undefined)
    throw new QueryRefused(`${place}: the query gives a histogram, and not a number`, 200);
  return { kind: "value", value: numberOf(sample.value, place), warnings };
}

/** What an error's body says of itself, be it Prometheus's or the API server's; empty where it says nothing. */
export function explanationIn(body: unknown): string {
  if (typeof body !== "object" || body === null) return "";
  const error = "error" in body ? body.error : undefined;
  const message = "message" in body ? body.message : undefined;
  const [text] = [...textsOf([error]), ...textsOf([message])];
  return text === undefined ? "" : `: ${text}`;
}

/** A sample is `[seconds, "value"]`, its value spelt as Go does: `0.5`, `1e-05`, `NaN`, `+Inf`, `-Inf`. */
function numberOf(sample: unknown, place: string): number {
  const value: unknown = Array.isArray(sample) ? sample[1] : undefined;
  if (typeof value !== "string" || value === "") throw notPrometheus(place);
  if (value === "NaN") return Number.NaN;
  const number = Number(value.replace(/Inf$/, "Infinity"));
  if (Number.isNaN(number)) throw notPrometheus(place);
  return number;
}

function textsOf(list: unknown): readonly string[] {
  if (!Array.isArray(list)) return [];
  return list.filter((text) => typeof text === "string").map((text) => text.slice(0, longestText));
}

function isBody(body: unknown): body is Body {
  return typeof body === "object" && body !== null && "status" in body;
}

function notPrometheus(place: string): Unreachable {
  return new Unreachable(`${place}: the answer is not a Prometheus's`);
}
