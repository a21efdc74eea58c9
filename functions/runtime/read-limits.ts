import * as v from "valibot";
import { defaultAwsRates } from "../domain/budget/aws-rates.ts";
import { defaultNamespaceLimits, type LimitSettings, noLimitSettings } from "../domain/budget/limits.ts";

const amount = v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)));

const resources = Object.keys(defaultNamespaceLimits);

const limits = v.strictObject(Object.fromEntries(resources.map((resource) => [resource, amount])));

const rate = v.optional(v.pipe(v.number(), v.gtValue(0)));

const rates = Object.keys(defaultAwsRates);

const schema = v.strictObject({
  maxConcurrent: amount,
  perNamespace: amount,
  perRepository: amount,
  haltAfter: amount,
  haltScope: v.optional(v.picklist(["namespace", "cluster", "deployment"])),
  namespace: v.optional(limits, {}),
  overrides: v.optional(v.record(v.string(), limits), {}),
  aws: v.exactOptional(v.strictObject(Object.fromEntries(rates.map((name) => [name, rate])))),
});

/** Parses how many workloads are updated at a time, what a namespace may use in a poll, and what is requested of AWS, as JSON; the defaults apply if the variable is not set. */
export function readLimits(value: string | undefined, problems: string[]): LimitSettings {
  if (!value) return noLimitSettings;
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), value);
  if (parsed.success) return parsed.output as LimitSettings;
  problems.push(
    `PAWL_LIMITS is invalid; use JSON of {maxConcurrent, perNamespace, perRepository, haltAfter, haltScope, namespace: {${resources.join(", ")}}, overrides, aws: {${rates.join(", ")}}}`,
  );
  return noLimitSettings;
}
