import type * as v from "valibot";
import type { ParseError } from "../../text/parse-error.ts";
import type { Criterion } from "../condition.ts";

/** What the field of a metric says to its provider. */
interface ProviderQuery {
  /** Where it is measured. */
  readonly provider: { readonly kind: string };
  /** May contain `{{args.…}}`. */
  readonly query: string;
  readonly periodSeconds: number | null;
  readonly arrivalSeconds: number;
}

/** A row of the table `providers`. */
export interface Provider {
  /** The field of a metric that has the query, and what it contains. */
  readonly field: string;
  readonly schema: v.GenericSchema<unknown, ProviderQuery>;
  /** How its values are judged, and how many are needed by default; null if the metric has conditions. */
  readonly verdict: { readonly criterion: Criterion; readonly count: number; readonly reason: string } | null;
}

/** An address that is queried: a URL, a region. */
export interface Endpoint {
  readonly kind: "endpoint";
  /** As the adapter gets it. */
  readonly address: string;
  /** What a deployment allows, and what a login is for: an origin without its path. */
  readonly scope: string;
  /** Why it can have no login; null if it can. */
  readonly loginProblem: string | null;
}

/** Reports whether a deployment that allows one address allows the other. */
export function isSameScope(one: Endpoint | ParseError, other: Endpoint | ParseError): boolean {
  return one.kind === "endpoint" && other.kind === "endpoint" && one.scope === other.scope;
}

/** A provider that is queried at an address, and answers at once. */
export interface QueryProvider extends Provider {
  readonly verdict: null;
  readonly title: string;
  /** The addresses that a deployment allows; the first is the default. */
  readonly setting: {
    /** In the configuration of a cluster, in the environment of functions, and of `pawl local`. */
    readonly name: string;
    readonly variable: string;
    readonly option: string;
    readonly description: string;
    /** What JSON Schema can say of an address. */
    readonly pattern: RegExp;
  };
  readonly parse: (address: string) => Endpoint | ParseError;
}
