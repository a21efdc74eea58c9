import { matchesGlob } from "../../text/glob.ts";
import type { PolicyField } from "./policy-field.ts";
import { policyFields, type PolicyFieldName, policyTable } from "./policy-table.ts";
import { lift, type RawPolicy, type Written } from "./raw-policy.ts";

/** What a deployment says about the policies of some namespaces. */
export interface PolicyDefaults {
  /** Globs; null is every namespace. */
  readonly namespaces: readonly string[] | null;
  /** Whether the stricter value counts, also against the owner of a workload. Otherwise a field that its owner does not write has the default. */
  readonly enforced: boolean;
  readonly policy: RawPolicy;
}

/** The fields that a deployment may have defaults of, with their paths. */
export const defaultFields = policyFields.filter(([, { stricter, enforcedAs }]) => stricter ?? enforcedAs);

/** Reads the policy of an entry of `defaults`. Problems name its fields by `place`. */
export function readDefaultPolicy(policy: Readonly<Record<string, unknown>>, place: string): RawPolicy {
  const written = defaultFields.flatMap(([name, { type }]) => {
    const lifted = lift(policy[name], `${place}.${name}`, type === "json");
    return lifted === null ? [] : [[name, lifted] as const];
  });
  return Object.fromEntries(written);
}

/** Adds the defaults of its namespace to what the owner of a workload wrote: the first that has a field, and then all that are enforced. */
export function withDefaults(own: RawPolicy, namespace: string, defaults: readonly PolicyDefaults[]): RawPolicy {
  const applying = defaults.filter(
    ({ namespaces }) => namespaces?.some((glob) => matchesGlob(glob, namespace)) ?? true,
  );
  if (applying.length === 0) return own;
  const merged: Record<string, Written> = { ...own };
  for (const { policy, enforced } of applying.toSorted((one, other) => Number(one.enforced) - Number(other.enforced)))
    for (const [name, value] of Object.entries(policy)) {
      const field: PolicyField = policyTable[name as PolicyFieldName];
      const { stricter, enforcedAs } = field;
      const before = merged[name];
      if (enforced && enforcedAs !== undefined) merged[enforcedAs] = append(merged[enforcedAs], value);
      else if (before === undefined || isBlank(before)) merged[name] = value;
      else if (enforced && stricter !== undefined) merged[name] = stricter(before, value);
    }
  return merged;
}

/** Collects values that must all be met. */
function append(before: Written | undefined, { value, length, place }: Written): Written {
  const values = before === undefined ? [] : (before.value as readonly unknown[]);
  return { value: [...values, value], length: length + (before?.length ?? 0), place: before?.place ?? place };
}

function isBlank({ value }: Written): boolean {
  return typeof value === "string" && value.trim() === "";
}
