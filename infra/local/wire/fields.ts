import { AwsFault, invalidField } from "./aws-fault.ts";

/** The JSON object that a request carries. */
export type Fields = Readonly<Record<string, unknown>>;

export function optionalString(fields: Fields, field: string): string | undefined {
  return optional(fields, field, "string", (value) => typeof value === "string");
}

/** Throws a ValidationException where the field is absent. */
export function requiredString(fields: Fields, field: string): string {
  const value = optionalString(fields, field);
  if (value === undefined) throw invalidField(field, value, "Member must not be null");
  return value;
}

export function optionalBoolean(fields: Fields, field: string): boolean | undefined {
  return optional(fields, field, "boolean", (value) => typeof value === "boolean");
}

/** Throws a ValidationException where the number stands outside the bounds, which are inclusive. */
export function optionalInteger(fields: Fields, field: string, least: number, most: number): number | undefined {
  const value = optional(fields, field, "integer", (found) => Number.isInteger(found));
  if (value === undefined) return undefined;
  if (value < least) throw invalidField(field, value, `Member must have value greater than or equal to ${least}`);
  if (value > most) throw invalidField(field, value, `Member must have value less than or equal to ${most}`);
  return value;
}

/** Throws a ValidationException where the value is none of the allowed. */
export function optionalOneOf<T extends string>(fields: Fields, field: string, allowed: readonly T[]): T | undefined {
  const value = optionalString(fields, field);
  if (value === undefined) return undefined;
  const found = allowed.find((candidate) => candidate === value);
  if (found) return found;
  throw invalidField(field, value, `Member must satisfy enum value set: [${allowed.join(", ")}]`);
}

interface Kinds {
  readonly string: string;
  readonly boolean: boolean;
  readonly integer: number;
}

function optional<K extends keyof Kinds>(
  fields: Fields,
  field: string,
  kind: K,
  fits: (value: unknown) => boolean,
): Kinds[K] | undefined {
  const value = fields[field];
  if (value === undefined || value === null) return undefined;
  if (!fits(value)) throw new AwsFault("SerializationException", `${field} is no ${kind}`);
  return value as Kinds[K];
}
