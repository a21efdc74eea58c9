import * as v from "valibot";
import { parseDuration } from "./duration.ts";
import type { ParseError } from "./parse-error.ts";
import { allowedBy } from "./schema-problems.ts";

type Issue = v.BaseIssue<unknown>;

/** A fragment of JSON Schema that says what a check does, as far as JSON Schema can. */
export type JsonSchemaPart = Readonly<Record<string, unknown>>;

interface Violation {
  /** Keys from the checked value on; empty for the value itself. */
  readonly path: readonly (string | number)[];
  /** The complete problem, after the path. */
  readonly reason: string;
}

/** An object with these fields. Other fields are dropped. */
export function openObject<const Entries extends v.ObjectEntries>(entries: Entries) {
  return refuseLists(v.object(entries, objectMessage(entries)));
}

/** An object with exactly these fields: every unknown one is a problem, because it may be a misspelt optional field. */
export function closedObject<const Entries extends v.ObjectEntries>(entries: Entries) {
  const schema = v.objectWithRest(entries, v.never(Object.keys(entries).join(", ")), objectMessage(entries));
  // Unlike this, strictObject of valibot reports only the first unknown field.
  return refuseLists(schema) as unknown as v.StrictObjectSchema<Entries, undefined>;
}

/** An object of any keys that match. */
export function recordOf<Key extends v.GenericSchema<string, string>, Value extends v.GenericSchema>(
  key: Key,
  value: Value,
) {
  return refuseLists(v.record(key, value));
}

/** A text or an object. Unlike those of a union, the problems are of the one that is given. */
export function textOr<Text extends v.GenericSchema<string, unknown>, Other extends v.GenericSchema<object, unknown>>(
  written: Text,
  other: Other,
) {
  const schema = v.union([written, other]);
  const run: v.GenericSchema["~run"] = (dataset, config) =>
    (typeof dataset.value === "object" ? other : written)["~run"](dataset, config);
  return { ...schema, "~run": run } as typeof schema;
}

/** Valibot accepts a list as an object without fields. */
function refuseLists<Schema extends v.GenericSchema>(schema: Schema): Schema {
  const run: Schema["~run"] = (dataset, config) => {
    if (!Array.isArray(dataset.value)) return schema["~run"](dataset, config);
    const { issues } = schema["~run"]({ value: null }, config);
    return {
      typed: false,
      value: dataset.value,
      issues: issues?.map((issue) => ({ ...issue, input: dataset.value })) as [Issue],
    };
  };
  return { ...schema, "~run": run };
}

/** For a missing field, says what its own schema allows. */
function objectMessage(entries: v.ObjectEntries): (issue: Issue) => string {
  return ({ path }) => {
    const entry = entries[String(path?.[0]?.key)];
    return entry === undefined ? "an object" : allowedBy(entry);
  };
}

/** A string that matches; `expected` describes it after "is not". */
export function text(pattern: RegExp, expected: string) {
  return v.pipe(v.string(expected), v.regex(pattern, expected));
}

/** A string without blanks around it, which is not empty. */
export function trimmedText(expected: string) {
  return v.pipe(v.string(expected), v.trim(), v.nonEmpty(expected));
}

export function wholeNumber(min: number, max: number) {
  const expected = `a whole number from ${min} to ${max}`;
  return v.pipe(v.number(expected), v.integer(expected), v.minValue(min, expected), v.maxValue(max, expected));
}

/** A setting that may be absent, with a description for people who write it. */
export function setting<
  const Schema extends v.GenericSchema,
  const Value extends v.Default<Schema, undefined> = undefined,
>(schema: Schema, description: string, value?: Value) {
  // A description changes no type.
  const described = v.optional(v.pipe(schema, v.description(description)), value as undefined);
  return described as unknown as v.OptionalSchema<Schema, Value>;
}

/** A setting that may also be null, which is the same. */
export function nullSetting<const Schema extends v.GenericSchema>(schema: Schema, description: string) {
  return v.nullish(v.pipe(schema, v.description(description)), null);
}

/** Checks a value that has no other problem. `problem` returns the complete problem, or null. */
export function refine<Value>(problem: (value: Value) => string | null, jsonSchema: JsonSchemaPart = {}) {
  const action = v.rawCheck<Value>(({ dataset, addIssue }) => {
    const reason = dataset.typed && dataset.issues === undefined ? problem(dataset.value) : null;
    if (reason !== null) addIssue({ message: reason });
  });
  return { ...action, jsonSchema };
}

/** Checks fields of an object, or entries of a list, against each other, if none of `fields` has a problem of its own. */
export function crossCheck<Value extends object>(
  fields: readonly (keyof Value)[],
  violations: (value: Value) => readonly Violation[],
  jsonSchema: JsonSchemaPart = {},
) {
  const action = v.rawCheck<Value>(({ dataset, addIssue }) => {
    const isBroken = ({ path }: Issue) => path === undefined || fields.includes(path[0].key as keyof Value);
    if (dataset.issues?.some(isBroken)) return;
    for (const { path, reason } of violations(dataset.value as Value)) {
      const items = path.map((key) => ({ type: "unknown", origin: "value", input: dataset.value, key, value: null }));
      addIssue({ message: reason, ...(items.length === 0 ? {} : { path: items as unknown as [v.IssuePathItem] }) });
    }
  });
  return { ...action, jsonSchema };
}

/** Checks that no two entries of a list have the same key, which may be that of a `field`. */
export function unique<Entry>(keyOf: (entry: Entry) => unknown = (entry) => entry, field?: string) {
  const suffix = field === undefined ? "" : `.${field}`;
  return crossCheck<Entry[]>(
    [],
    (entries) => {
      const keys = entries.map(keyOf);
      return keys.flatMap((key, index) => {
        const first = keys.indexOf(key);
        if (key === undefined || first === index) return [];
        const path = field === undefined ? [index] : [index, field];
        return [{ path, reason: `${JSON.stringify(key)} is a duplicate of [${first}]${suffix}` }];
      });
    },
    field === undefined ? { uniqueItems: true } : {},
  );
}

/** Parses a string into a value. */
export function parsedBy<Parsed extends { readonly kind: string }>(parse: (text: string) => Parsed | ParseError) {
  return v.rawTransform<string, Exclude<Parsed, ParseError>>(({ dataset, addIssue, NEVER }) => {
    const parsed = parse(dataset.value);
    if (parsed.kind !== "invalid") return parsed as Exclude<Parsed, ParseError>;
    const { part, reason } = parsed as ParseError;
    addIssue({ message: reason, input: part });
    return NEVER;
  });
}

/** A Go duration. */
export function durationSeconds(min: number, max: number) {
  const range = `a duration of ${min} to ${max} seconds`;
  return v.pipe(
    v.custom<string | number>(
      (given) => typeof given === "string" || typeof given === "number",
      "a duration such as 90s",
    ),
    v.transform((given) => `${given}`.trim()),
    parsedBy(parseDuration),
    v.transform(({ seconds }) => seconds),
    v.minValue(min, range),
    v.maxValue(max, range),
  );
}
