import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { mergePatch } from "../../../../functions/adapters/kubernetes/auto-update/merge-patch.ts";
import { propertyRuns } from "../../../support/property-runs.ts";

type Json = Readonly<Record<string, unknown>>;

/** RFC 7386, section 2. */
function applyPatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result: Record<string, unknown> = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = applyPatch(result[key], value);
  }
  return result;
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const key = fc.constantFrom("a", "b", "c");
const { object } = fc.letrec<{ readonly value: unknown; readonly object: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.integer({ min: 0, max: 3 }),
    fc.constantFrom("", "x"),
    fc.boolean(),
    fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 2 }),
    tie("object"),
  ),
  object: fc.dictionary(key, tie("value"), { maxKeys: 3, noNullPrototype: true }),
}));

test("a patch turns one object into the other, and there is none exactly if they are equal", () => {
  fc.assert(
    fc.property(object, object, (before, after) => {
      const patch = mergePatch(before, after);
      expect(patch === null).toBe(isDeepStrictEqual(before, after));
      expect(applyPatch(before, patch ?? {})).toEqual(after);
    }),
    { numRuns: propertyRuns(3000) },
  );
});

test.for([
  { before: { a: { b: 1, c: 2 } }, after: { a: { b: 1, c: 3 } }, patch: { a: { c: 3 } } },
  { before: { a: [1, 2] }, after: { a: [2] }, patch: { a: [2] } },
  { before: { a: 1 }, after: {}, patch: { a: null } },
  { before: { a: 1 }, after: { a: undefined }, patch: { a: null } },
  { before: { a: { b: 1 } }, after: { a: { b: 1, c: undefined } }, patch: null },
  { before: { a: { b: 1 } }, after: { a: {} }, patch: { a: { b: null } } },
])("from $before to $after: $patch", ({ before, after, patch }) => {
  expect(mergePatch(before, after)).toEqual(patch);
});
