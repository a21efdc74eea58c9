import { isDeepStrictEqual } from "node:util";

type Json = Readonly<Record<string, unknown>>;

/** Returns the JSON merge patch (RFC 7386) that turns `before` into `after`; null if they are equal. */
export function mergePatch(before: object, after: object): object | null {
  const [from, to] = [before as Json, after as Json];
  const patch: Record<string, unknown> = {};
  for (const key of new Set([...Object.keys(from), ...Object.keys(to)])) {
    if (isDeepStrictEqual(from[key], to[key])) continue;
    patch[key] = isObject(from[key]) && isObject(to[key]) ? mergePatch(from[key], to[key]) : (to[key] ?? null);
  }
  return Object.keys(patch).length === 0 ? null : patch;
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
