import { defaultPrefix } from "./grammar.ts";

/** Returns the namespace of a deployment's metrics: `Pawl` with the default prefix, otherwise `Pawl/<prefix>`. */
export function metricNamespace({ prefix }: { readonly prefix: string }): string {
  return prefix === defaultPrefix ? "Pawl" : `Pawl/${prefix}`;
}
