import { canaryFields } from "./fields/canary-fields.ts";
import { candidateFields } from "./fields/candidate-fields.ts";
import { enforcedFields, gateFields } from "./fields/gate-fields.ts";
import { digestFields, restartFields } from "./fields/restart-fields.ts";
import { updateFields } from "./fields/update-fields.ts";
import type { PolicyField } from "./policy-field.ts";
import { compact, lift, type RawPolicy, type Written } from "./raw-policy.ts";

/** Every field of a policy, in the order in which people see them. */
export const policyTable = {
  ...updateFields,
  ...gateFields,
  ...candidateFields,
  ...enforcedFields,
  ...canaryFields,
  ...restartFields,
  ...digestFields,
};

export type PolicyFieldName = keyof typeof policyTable;

export const policyFields = Object.entries(policyTable) as readonly (readonly [PolicyFieldName, PolicyField])[];

const specPath = "spec.policy";

/** Reads the policy that annotations say. `parse` reads YAML or JSON; it gets no text that is too long. */
export function readAnnotations(
  from: Readonly<Record<string, string>>,
  parse: (text: string) => unknown = (text) => text,
): RawPolicy {
  return collect(({ annotation, type, maxLength }) => {
    const text = annotation === null ? undefined : from[annotation];
    if (annotation === null || text === undefined) return null;
    const isParsed = type === "json" && text.length <= Number(maxLength);
    if (isParsed && text.trim() === "") return null;
    return { value: isParsed ? parse(text) : text, length: text.length, place: annotation };
  });
}

/** Reads `spec.policy` of an AutoUpdate. It opts in by being there, unless it tracks digests only. */
export function readSpecPolicy(policy: object): RawPolicy {
  const { autoUpdate, ...others } = collect(({ path, type }) => {
    if (path === null) return null;
    const value = path.split(".").reduce<unknown>((found, key) => (key === "" ? found : fieldOf(found, key)), policy);
    const place = [specPath, path].filter(Boolean).join(".");
    return lift(type === "presence" && value !== undefined ? true : value, place, type === "json");
  });
  return "digestOnly" in others ? others : compact({ autoUpdate, ...others });
}

/** Names a field as the owner of `beside` writes it. */
export function placeBeside(beside: Written, field: PolicyFieldName): string {
  const { annotation, path } = policyTable[field];
  return beside.place.startsWith(`${specPath}.`) ? `${specPath}.${path}` : String(annotation);
}

/** Is run for every object of a list. */
function collect(read: (field: PolicyField) => Written | null): RawPolicy {
  const raw: Record<string, Written> = {};
  for (const [name, field] of policyFields) {
    const written = read(field);
    if (written !== null) raw[name] = written;
  }
  return raw;
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>)[key] : undefined;
}
