import * as v from "valibot";
import type { ParseError } from "../../text/parse-error.ts";
import { trimmedText } from "../../text/schema.ts";
import { formatAddress, loginProblem, originOf, parseAddress } from "./prometheus-address.ts";
import type { Endpoint, QueryProvider } from "./provider.ts";

const maxQueryLength = 4096;

/** A metric names no address: that of its analysis applies to all. */
const source = (address: string | null) => ({ kind: "prometheus", address }) as const;

function parse(text: string): Endpoint | ParseError {
  const address = parseAddress(text);
  if (address.kind === "invalid") return address;
  const scope = originOf(address);
  return { kind: "endpoint", address: formatAddress(address), scope, loginProblem: loginProblem(address) };
}

export const prometheus = {
  field: "query",
  schema: v.pipe(
    trimmedText("PromQL that returns one number"),
    v.maxLength(maxQueryLength),
    v.transform((query) => ({ provider: source(null), query, periodSeconds: null, arrivalSeconds: 0 })),
  ),
  verdict: null,
  title: "Prometheus",
  setting: {
    name: "prometheus",
    variable: "PAWL_PROMETHEUS",
    option: "--prometheus <address>",
    description: "All Prometheus servers that an analysis may query; the first is the default.",
    pattern: /^(service|https?|amp):\/\/[^\s,]+$/,
  },
  parse,
} as const satisfies QueryProvider;
