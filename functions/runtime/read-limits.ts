import * as v from "valibot";
import { defaultNamespaceLimits, type LimitSettings, noLimitSettings } from "../domain/budget/limits.ts";

const amount = v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)));

const resources = Object.keys(defaultNamespaceLimits);

const limits = v.strictObject(Object.fromEntries(resources.map((resource) => [resource, amount])));

const schema = v.strictObject({
  maxConcurrent: amount,
  perNamespace: amount,
  perRepository: amount,
  haltAfter: amount,
  haltScope: v.optional(v.picklist(["namespace", "cluster", "deployment"])),
  namespace: v.optional(limits, {}),
  overrides: v.optional(v.record(v.string(), limits), {}),
});

/** Parses how many workloads are updated at a time, and what a namespace may use in a poll, as JSON; the defaults apply if the variable is not set. */
export function readLimits(value: string | undefined, problems: string[]): LimitSettings {
  if (!value) return noLimitSettings;
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), value);
  if (parsed.success) return parsed.output as LimitSettings;
  problems.push(
    `PAWL_LIMITS is invalid; use JSON of {maxConcurrent, perNamespace, perRepository, haltAfter, haltScope, namespace: {${resources.join(", ")}}, overrides}`,
  );
  return noLimitSettings;
}
