import { compact, lift, type RawPolicy } from "../../functions/domain/workload/policy/raw-policy.ts";

/** Returns a policy whose fields are written at `place`, each by its name. */
export function rawPolicy(fields: Readonly<Record<string, unknown>>, place = "spec.autoUpdate."): RawPolicy {
  const written = Object.entries(fields).map(([field, value]) => {
    return [field, lift(value, place + field, typeof value === "object")] as const;
  });
  return compact(Object.fromEntries(written));
}
