/** Allows fields that are undefined until `dropAbsent` removes them. */
export type Optional<T> = { readonly [Field in keyof T]?: T[Field] | undefined };

/** Returns the object without fields that are undefined, so that it equals what the API server returns. */
export function dropAbsent<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
