import * as v from "valibot";
import { AwsError, validationError } from "./aws-error.ts";

/** The JSON object of a request body, without fields that are null. */
export type RequestFields = Readonly<Record<string, unknown>>;

/** An integer within inclusive bounds. The messages are the constraints of the services' models. */
export function integer(min: number, max: number) {
  return v.pipe(
    v.number(),
    v.integer(),
    v.minValue(min, `Member must have value greater than or equal to ${min}`),
    v.maxValue(max, `Member must have value less than or equal to ${max}`),
  );
}

export function enumValue<const Values extends readonly string[]>(values: Values) {
  return v.picklist(values, `Member must satisfy enum value set: [${values.join(", ")}]`);
}

/** A list whose length is within inclusive bounds. */
export function boundedList<Entry extends v.GenericSchema>(entry: Entry, min: number, max: number) {
  return v.pipe(
    v.array(entry),
    v.minLength(min, `Member must have length greater than or equal to ${min}`),
    v.maxLength(max, `Member must have length less than or equal to ${max}`),
  );
}

/**
 * Returns the input of an operation. Throws ValidationException if a value is missing or violates a constraint, and
 * SerializationException if it has another type.
 */
export function parseInput<Schema extends v.GenericSchema>(
  schema: Schema,
  fields: RequestFields,
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, fields);
  if (result.success) return result.output;
  throw toAwsError(result.issues[0]);
}

function toAwsError(issue: v.BaseIssue<unknown>): AwsError {
  const { input, type, message } = issue;
  const field = v.getDotPath(issue) ?? "the request";
  if (input === undefined) return validationError(field, undefined, "Member must not be null");
  if (type === "picklist" || (issue.kind === "validation" && type !== "integer"))
    return validationError(field, formatValue(input), message);
  const expected = type === "integer" ? type : issue.expected;
  return new AwsError("SerializationException", `${field}: invalid value; use type ${String(expected)}`);
}

function formatValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.length} entries]`;
  return typeof value === "string" ? value : JSON.stringify(value);
}
