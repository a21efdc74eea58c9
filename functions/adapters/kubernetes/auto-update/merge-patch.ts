import { isDeepStrictEqual } from "node:util";

type Json = Readonly<Record<string, unknown>>;

/** Returns the JSON merge patch (RFC 7386) that turns `before` into `after`; null if they are equal. */
export function mergePatch(before: object, after: object): object | null {
  const [from, to] = [before as Json, after as Json];
  const patch: Record<string, unknown> = {};
  for (const key of new Set([...Object.keys(from), ...Object.keys(to)])) {
    if (isDeepStrictEqual(from[key], to[key])) continue;
    const isNested = isObject(from[key]) && isObject(to[key]);
    const value = isNested ? mergePatch(from[key] as object, to[key] as object) : (to[key] ?? null);
    // Nested objects that differ only in fields that are undefined are equal as JSON.
    if (value !== null || !isNested) patch[key] = value;
  }
  return Object.keys(patch).length === 0 ? null : patch;
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
