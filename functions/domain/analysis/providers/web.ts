import * as v from "valibot";
import { parseDuration } from "../../text/duration.ts";
import { invalid, type ParseError } from "../../text/parse-error.ts";
import { closedObject, parsedBy, trimmedText } from "../../text/schema.ts";
import { type JsonPath, parseJsonPath } from "./json-path.ts";
import { loginProblem, parseAddress } from "./prometheus-address.ts";
import type { Endpoint, QueryProvider } from "./provider.ts";

const maxLength = 2048;
const form = "a URL such as https://metrics.example.com/errors?service={{args.set}}";

/** What is requested of a URL that a deployment allows, and where its answer has the value. Is a query as JSON. */
export interface WebQuery {
  readonly parameters: readonly [name: string, value: string][];
  /** Parameters that are Unix times, in seconds before the request. */
  readonly times: readonly [name: string, secondsBefore: number][];
  readonly path: JsonPath;
}

export interface WrittenUrl extends Pick<WebQuery, "parameters" | "times"> {
  readonly kind: "url";
  readonly address: string;
}

/** A deployment allows a URL and not its whole origin: others of it are not meant for those who write an analysis. */
function parse(text: string): Endpoint | ParseError {
  const address = /^https?:\/\//i.test(text) ? parseAddress(text) : invalid(text, `is not ${form}`);
  if (address.kind === "invalid") return address;
  const { origin, pathname } = new URL(text);
  const url = `${origin}${pathname}`;
  return { kind: "endpoint", address: url, scope: url, loginProblem: loginProblem(address) };
}

function parseUrl(text: string): WrittenUrl | ParseError {
  const [beforeQuery = "", ...others] = text.split("?");
  if (/[{}]/.test(beforeQuery)) return invalid(text, "has an argument before its query; use it after ? only");
  if (text.includes("#")) return invalid(text, "must not contain a fragment; write # in its query as %23");
  const endpoint = parse(beforeQuery);
  if (endpoint.kind === "invalid") return endpoint;
  const parameters: [string, string][] = [];
  const times: [string, number][] = [];
  for (const [name, value] of new URLSearchParams(others.join("?"))) {
    const written = writtenTime(value);
    const before = parseDuration(written ?? "0");
    if (before.kind === "invalid") return invalid(value, "is not a time; use {{now}}, or {{now-5m}} for a time before");
    if (written === null) parameters.push([name, value]);
    else times.push([name, before.seconds]);
  }
  return { kind: "url", address: endpoint.address, parameters, times };
}

/** Returns the duration in `{{now-5m}}`, and 0 of `{{now}}`; null if a value is neither. */
function writtenTime(value: string): string | null {
  const [, placeholder = ""] = /^\{\{([^{}]*)\}\}$/.exec(value) ?? [];
  const [now, before = "0", ...others] = placeholder.replaceAll(/\s/g, "").split("-");
  return now === "now" && others.length === 0 ? before : null;
}

/** Returns how far a query looks back; 0 if it does not say that. */
export function webRangeSeconds(query: string): number {
  return Math.max(0, ...(JSON.parse(query) as WebQuery).times.map(([, before]) => before));
}

export const web = {
  field: "web",
  schema: v.pipe(
    closedObject({
      url: v.pipe(trimmedText(form), v.maxLength(maxLength), parsedBy(parseUrl)),
      jsonPath: v.pipe(trimmedText("a JSONPath such as $.data.rate"), v.maxLength(maxLength), parsedBy(parseJsonPath)),
    }),
    v.transform(({ url: { address, parameters, times }, jsonPath: { keys: path } }) => ({
      provider: { kind: "web", address } as const,
      query: JSON.stringify({ parameters, times, path } satisfies WebQuery),
      periodSeconds: null,
      arrivalSeconds: 0,
    })),
  ),
  verdict: null,
  title: "URL",
  setting: {
    name: "webMetrics",
    variable: "PAWL_WEB_METRICS",
    option: "--web-metrics <url>",
    description: "All URLs, without their queries, whose JSON an analysis may read.",
    pattern: /^https?:\/\/[^\s,?#]+$/,
  },
  parse,
} as const satisfies QueryProvider;
