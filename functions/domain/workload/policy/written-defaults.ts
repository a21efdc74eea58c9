import * as v from "valibot";
import { closedObject, refine, setting, text, unique } from "../../text/schema.ts";
import { type Validation, validate } from "../../text/schema-problems.ts";
import { defaultFields, type PolicyDefaults, readDefaultPolicy } from "./defaults.ts";
import { parsePolicy } from "./policy.ts";
import type { PolicyField } from "./policy-field.ts";

const maxDefaults = 100;

const pattern = text(/^[a-z0-9*?]([-a-z0-9*?]{0,61}[a-z0-9*?])?$/, "the name of a namespace, in which * is any text");

const valueOf = {
  string: v.string("a text"),
  integer: v.number("a number"),
  boolean: v.boolean("true or false"),
  list: v.array(v.string("a text"), "a list of texts"),
  json: v.union([v.array(v.unknown()), v.record(v.string(), v.unknown())], "a list or an object"),
  presence: v.unknown(),
} as const satisfies Readonly<Record<PolicyField["type"], v.GenericSchema>>;

const fields = Object.fromEntries(
  defaultFields.map(([name, { type, description }]) => [name, setting(valueOf[type] as v.GenericSchema, description)]),
);

const entry = closedObject({
  namespaces: setting(v.pipe(v.array(pattern), v.minLength(1), unique<string>()), "Globs. All namespaces if absent."),
  enforced: setting(
    v.boolean(),
    "true: of this value and that of the owner of a workload, the stricter counts.",
    false,
  ),
  policy: v.pipe(
    closedObject(fields),
    refine((policy: Readonly<Record<string, unknown>>) => problemOf(policy)),
  ),
});

/** Defaults of a deployment as a configuration has them: checked, but not parsed. */
export const writtenDefaults = v.pipe(v.array(entry), v.maxLength(maxDefaults));

/** Parses the defaults of a deployment. */
export function parseDefaults(written: unknown): Validation<readonly PolicyDefaults[]> {
  const parsed = validate(writtenDefaults, written, "defaults");
  if (parsed.kind === "invalid") return parsed;
  const value = parsed.value.map(({ namespaces = null, enforced, policy }, index) => {
    return { namespaces, enforced, policy: readDefaultPolicy(policy, `defaults[${index}].policy`) };
  });
  return { kind: "valid", value };
}

/** The ranges of a workload that can have all. */
const rules = {
  defaultSchedule: null,
  defaultToleranceSeconds: 3600,
  canaryUnavailableReason: null,
  minHealthTimeoutSeconds: 1,
  maxHealthTimeoutSeconds: 86_400,
} as const;

function problemOf(policy: Readonly<Record<string, unknown>>): string | null {
  const { problems } = parsePolicy(readDefaultPolicy(policy, "policy"), "yes", rules);
  return problems.length === 0 ? null : problems.map(({ text: problem }) => problem).join("; ");
}
