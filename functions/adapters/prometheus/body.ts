import { truncate } from "../../domain/text/summarize-list.ts";
import type { MetricReading } from "../../ports/metric-provider.ts";
import { QueryRejected, Unreachable } from "../../ports/errors.ts";

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

const maxTextLength = 300;

/** Parses a response of `/api/v1/query`. Throws `QueryRejected` if the result is not a number, `Unreachable` if it is not from Prometheus. */
export function parseReading(body: unknown, source: string): MetricReading {
  if (!isBody(body) || body.status !== "success") throw notPrometheusError(source);
  const { resultType, result } = body.data ?? {};
  const [warning] = parseTexts(body.warnings);
  const warnings = parseTexts(body.infos);
  // Thanos answers with what it has, and warns: the value may be anything.
  if (warning !== undefined)
    return { kind: "none", reason: `the answer has a warning: ${warning}`, at: null, warnings };
  if (resultType === "scalar") return { ...parseSample(result, source), warnings };
  if (resultType === "string")
    throw new QueryRejected(`${source}: the query returns a string; a number is required`, 200);
  if (resultType === "matrix") {
    throw new QueryRejected(
      `${source}: the query returns range vectors; apply rate(), increase() or a similar function`,
      200,
    );
  }
  if (resultType !== "vector" || !Array.isArray(result)) throw notPrometheusError(source);
  const [sample, ...others] = result as readonly Sample[];
  if (sample === undefined) return { kind: "none", at: null, warnings };
  if (others.length > 0) return { kind: "several", count: result.length, at: null, warnings };
  if (sample.value === undefined)
    throw new QueryRejected(`${source}: the query returns a histogram; a number is required`, 200);
  return { ...parseSample(sample.value, source), warnings };
}

/** Returns the message of an error body of Prometheus or the API server, after a colon; empty if there is none. */
export function describeError(body: unknown): string {
  if (typeof body !== "object" || body === null) return "";
  const error = "error" in body ? body.error : undefined;
  const message = "message" in body ? body.message : undefined;
  const [text] = [...parseTexts([error]), ...parseTexts([message])];
  return text === undefined ? "" : `: ${text}`;
}

/** Parses a sample `[seconds, "value"]` of an instant query, whose time is that of the evaluation. */
function parseSample(sample: unknown, source: string) {
  const [seconds, value] = Array.isArray(sample) ? (sample as readonly unknown[]) : [];
  const at = typeof seconds === "number" ? new Date(seconds * 1000) : null;
  return { kind: "value", value: parseValue(value, source), at } as const;
}

/** Parses a value that Go has formatted: `0.5`, `1e-05`, `NaN`, `+Inf`, `-Inf`. */
function parseValue(value: unknown, source: string): number {
  if (typeof value !== "string" || value === "") throw notPrometheusError(source);
  if (value === "NaN") return Number.NaN;
  const number = Number(value.replace(/Inf$/, "Infinity"));
  if (Number.isNaN(number)) throw notPrometheusError(source);
  return number;
}

function parseTexts(list: unknown): readonly string[] {
  if (!Array.isArray(list)) return [];
  return list.filter((text) => typeof text === "string").map((text) => truncate(text, maxTextLength));
}

function isBody(body: unknown): body is Body {
  return typeof body === "object" && body !== null && "status" in body;
}

function notPrometheusError(source: string): Unreachable {
  return new Unreachable(`${source}: the response is not from Prometheus`);
}
