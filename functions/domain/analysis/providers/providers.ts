import * as v from "valibot";
import { cloudwatch } from "./cloudwatch.ts";
import { job } from "./job.ts";
import { prometheus } from "./prometheus.ts";
import type { Provider, QueryProvider } from "./provider.ts";
import { web } from "./web.ts";

/** The providers that are queried at an address, and answer at once. */
export const queryProviders = { prometheus, cloudwatch, web } as const satisfies Readonly<
  Record<string, QueryProvider>
>;

/** All providers. A metric has the field of one of them. */
export const providers = { ...queryProviders, job } as const satisfies Readonly<Record<string, Provider>>;

type Providers = typeof providers;
type ProviderKind = keyof Providers;
export type QueryKind = keyof typeof queryProviders;
export type AddressSettingName = (typeof queryProviders)[QueryKind]["setting"]["name"];

const providerKinds = Object.keys(providers) as readonly ProviderKind[];
export const queryKinds = Object.keys(queryProviders) as readonly QueryKind[];

/** The fields of all providers in the schema of a metric, of which one is given. */
export const providerFields = Object.fromEntries(
  providerKinds.map((kind) => [providers[kind].field, v.nullish(providers[kind].schema)]),
) as {
  readonly [Kind in ProviderKind as Providers[Kind]["field"]]: v.NullishSchema<Providers[Kind]["schema"], undefined>;
};

export const fieldNames = Object.keys(providerFields) as readonly (keyof typeof providerFields)[];

export type WrittenQueries = {
  readonly [Field in keyof typeof providerFields]?: v.InferOutput<(typeof providerFields)[Field]>;
};

/** Returns the fields that are given, whether they are valid or not. A valid metric has one. */
export function givenFields(written: { readonly [Field in (typeof fieldNames)[number]]?: unknown }) {
  return fieldNames.filter((field) => written[field] !== null && written[field] !== undefined);
}

/** Returns the query of a field that is given. */
export function writtenQuery(written: WrittenQueries, field: (typeof fieldNames)[number]) {
  return written[field]!;
}

/** Returns the verdict of the provider that a metric names; null if conditions decide. */
export function verdictOf(written: WrittenQueries): Provider["verdict"] {
  const fields = new Set<string>(givenFields(written));
  return Object.values(providers).find(({ field, verdict }) => verdict !== null && fields.has(field))?.verdict ?? null;
}
