import { isFields, type Fields } from "../objects.ts";

/** A value with what its structural schema fills in: at any depth, but only within objects that are there. */
export function withSchemaDefaults(schema: Fields, value: unknown): unknown {
  const { properties, items } = schema;
  if (Array.isArray(value)) return isFields(items) ? value.map((item) => withSchemaDefaults(items, item)) : value;
  if (!isFields(value) || !isFields(properties)) return value;
  return { ...value, ...Object.fromEntries(Object.entries(properties).flatMap((one) => filledIn(one, value))) };
}

function filledIn([name, schema]: readonly [string, unknown], owner: Fields): readonly (readonly [string, unknown])[] {
  if (!isFields(schema)) return [];
  const value = owner[name] ?? schema["default"];
  return value === undefined ? [] : [[name, withSchemaDefaults(schema, value)]];
}
