import { truncate } from "./summarize-list.ts";
import * as v from "valibot";
import type { ParseError } from "./parse-error.ts";
import { suggest } from "./suggest.ts";

/** A value that does not match its schema. `reason` starts with the path. */
export interface SchemaProblem extends ParseError {
  /** `metrics[0].query`; empty for the whole input. */
  readonly path: string;
}

export type Validation<Value> =
  | { readonly kind: "valid"; readonly value: Value }
  | { readonly kind: "invalid"; readonly problems: SchemaProblem[] };

type Issue = v.BaseIssue<unknown>;

/**
 * Validates an input and returns every problem at once. `root` names the whole input in problems. The message of a schema says what
 * is allowed ("a string"), and is completed here; only checks (`refine`, `crossCheck`, `parsedBy`) state the problem themselves.
 */
export function validate<Schema extends v.GenericSchema>(
  schema: Schema,
  input: unknown,
  root: string,
): Validation<v.InferOutput<Schema>> {
  const result = v.safeParse(schema, input, { message: allowed });
  if (result.success) return { kind: "valid", value: result.output };
  const problems = result.issues.flatMap(mostSpecific).map((issue) => problemOf(issue, root));
  const isFirst = ({ reason }: SchemaProblem, index: number) =>
    problems.findIndex((other) => other.reason === reason) === index;
  return { kind: "invalid", problems: problems.filter(isFirst) };
}

const typeNames: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  record: "an object",
};

/** Says what a schema without a message of its own allows. */
function allowed(issue: Issue): string {
  const values = allowedValues(issue);
  if (values.length > 0) return values.length === 1 ? `${values[0]}` : `one of ${values.join(", ")}`;
  if (issue.type === "union") return String(issue.expected).replaceAll(/[()]/g, "").replaceAll(" | ", " or ");
  return typeNames[issue.type] ?? "an object";
}

/** Says what a schema allows, by validating undefined. */
export function allowedBy(schema: v.GenericSchema): string {
  return v.safeParse(schema, undefined, { message: allowed }).issues?.[0].message ?? "a value";
}

/** Valibot lists them as `("sns" | "webhook")`. */
function allowedValues({ type, expected }: Issue): readonly string[] {
  if (!["picklist", "variant", "literal", "union"].includes(type)) return [];
  const values = String(expected).match(/"[^"]*"|\b(?:\d+|true|false)\b/g) ?? [];
  return values.map((value) => value.replaceAll('"', ""));
}

/** Of a union, returns the problems within the alternative that was meant: one whose problems are deeper. */
function mostSpecific(issue: Issue): readonly Issue[] {
  const within = (issue.issues ?? []).flatMap((inner) =>
    inner.path === undefined ? [] : [{ inner, path: inner.path }],
  );
  if (within.length === 0) return [issue];
  return within.map(({ inner, path }) => ({ ...inner, path: [...(issue.path ?? []), ...path] }));
}

function problemOf(issue: Issue, root: string): SchemaProblem {
  const keys = (issue.path ?? []).map(({ key }) => key);
  const path = formatPath(isRecordKey(issue) ? keys.slice(0, -1) : keys);
  return { kind: "invalid", path, part: spell(issue.input), reason: `${path || root}: ${reasonOf(issue)}` };
}

function reasonOf(issue: Issue): string {
  const { type, input, message } = issue;
  if (type === "raw_check" || type === "raw_transform") return message;
  if (type === "never") return unknownField(String(issue.path?.at(-1)?.key), message.split(", "));
  if (input === undefined) return `is missing; use ${message}`;
  if (type === "min_length") return `has ${sizeOf(input)}, at least ${issue.requirement as number} needed`;
  if (type === "max_length") return `has ${sizeOf(input)}, at most ${issue.requirement as number} allowed`;
  const meant = typeof input === "string" ? suggest(input, allowedValues(issue)) : null;
  const subject = isRecordKey(issue) ? `the key ${spell(input)}` : spell(input);
  return `${subject} is not ${message}${meant === null ? "" : `; did you mean ${meant}?`}`;
}

function unknownField(name: string, known: readonly string[]): string {
  const meant = suggest(name, known);
  return `is not a known field; ${meant === null ? `known fields are ${known.join(", ")}` : `did you mean ${meant}?`}`;
}

function isRecordKey({ path, input }: Issue): boolean {
  return path?.at(-1)?.origin === "key" && input !== undefined;
}

function sizeOf(input: unknown): string {
  return `${(input as string | unknown[]).length} ${typeof input === "string" ? "characters" : "entries"}`;
}

function formatPath(keys: readonly unknown[]): string {
  const steps = keys.map((key) => {
    if (typeof key === "number") return `[${key}]`;
    return /^[\w$-]+$/.test(String(key)) ? `.${String(key)}` : `[${JSON.stringify(key)}]`;
  });
  return steps.join("").replace(/^\./, "");
}

function spell(input: unknown): string {
  return truncate(typeof input === "number" ? `${input}` : (JSON.stringify(input) ?? "undefined"), 120);
}
