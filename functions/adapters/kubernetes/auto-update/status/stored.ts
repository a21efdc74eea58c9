import { formatRfc3339 } from "../../../../domain/text/rfc3339.ts";

/** A value as a status has it: times are RFC 3339. */
export type Stored<Value> = Value extends Date
  ? string
  : Value extends object
    ? { readonly [Key in keyof Value]: Stored<Value[Key]> }
    : Value;

export function toStored<Value>(value: Value): Stored<Value> {
  return storedOf(value) as Stored<Value>;
}

function storedOf(value: unknown): unknown {
  if (value instanceof Date) return formatRfc3339(value);
  if (Array.isArray(value)) return value.map(storedOf);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, storedOf(field)]));
}
