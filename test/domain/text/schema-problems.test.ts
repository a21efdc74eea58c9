import * as v from "valibot";
import { describe, expect, test } from "vitest";
import {
  closedObject,
  openObject,
  recordOf,
  text,
  textOr,
  wholeNumber,
} from "../../../functions/domain/text/schema.ts";
import { allowedBy, validate } from "../../../functions/domain/text/schema-problems.ts";

const name = text(/^[a-z]+$/, "a name of a-z");
const target = v.variant("kind", [
  closedObject({ kind: v.literal("sns"), topic: name }),
  closedObject({ kind: v.literal("webhook"), url: name }),
]);
const schema = closedObject({
  name,
  count: v.optional(wholeNumber(1, 5)),
  mode: v.optional(v.picklist(["fast", "safe"])),
  tags: v.optional(v.pipe(v.array(name), v.minLength(1), v.maxLength(2))),
  short: v.optional(v.pipe(v.string(), v.minLength(2), v.maxLength(4))),
  labels: v.optional(recordOf(name, v.boolean())),
  target: v.optional(target),
  either: v.optional(v.union([openObject({ a: name }), v.literal(3)])),
  typed: v.optional(v.union([v.string(), v.number()])),
  login: v.optional(textOr(name, closedObject({ name }))),
});

function reasons(input: unknown): readonly string[] {
  const result = validate(schema, input, "input");
  return result.kind === "valid" ? [] : result.problems.map(({ reason }) => reason);
}

describe("validate", () => {
  test("returns the value if there is no problem", () => {
    expect(validate(schema, { name: "a", mode: "safe" }, "input")).toEqual({
      kind: "valid",
      value: { name: "a", mode: "safe" },
    });
  });

  test.for([
    { input: 1, expected: ["input: 1 is not an object"] },
    { input: [], expected: ["input: [] is not an object"] },
    { input: {}, expected: ["name: is missing; use a name of a-z"] },
    { input: { name: "A" }, expected: ['name: "A" is not a name of a-z'] },
    { input: { name: "a", count: 9 }, expected: ["count: 9 is not a whole number from 1 to 5"] },
    {
      input: { name: "a", mode: "fats" },
      expected: ['mode: "fats" is not one of fast, safe; did you mean fast?'],
    },
    { input: { name: "a", mode: 7 }, expected: ["mode: 7 is not one of fast, safe"] },
    { input: { name: "a", nmae: 1 }, expected: ["nmae: is not a known field; did you mean name?"] },
    {
      input: { name: "a", unrelated: 1 },
      expected: [
        "unrelated: is not a known field; known fields are name, count, mode, tags, short, labels, target, either, typed, login",
      ],
    },
    { input: { name: "a", tags: [] }, expected: ["tags: has 0 entries, at least 1 needed"] },
    { input: { name: "a", tags: ["a", "b", "c"] }, expected: ["tags: has 3 entries, at most 2 allowed"] },
    { input: { name: "a", tags: ["a", 3] }, expected: ["tags[1]: 3 is not a name of a-z"] },
    { input: { name: "a", short: "x" }, expected: ["short: has 1 characters, at least 2 needed"] },
    { input: { name: "a", short: "xxxxx" }, expected: ["short: has 5 characters, at most 4 allowed"] },
    { input: { name: "a", login: "A" }, expected: ['login: "A" is not a name of a-z'] },
    { input: { name: "a", login: { name: "A" } }, expected: ['login.name: "A" is not a name of a-z'] },
    { input: { name: "a", login: 5 }, expected: ["login: 5 is not a name of a-z"] },
    { input: { name: "a", login: [] }, expected: ["login: [] is not an object"] },
    { input: { name: "a", labels: { A: true } }, expected: ['labels: the key "A" is not a name of a-z'] },
    { input: { name: "a", labels: { a: 1 } }, expected: ["labels.a: 1 is not true or false"] },
    {
      input: { name: "a", target: { kind: "snss" } },
      expected: ['target.kind: "snss" is not one of sns, webhook; did you mean sns?'],
    },
    { input: { name: "a", target: { kind: "sns", topic: 1 } }, expected: ["target.topic: 1 is not a name of a-z"] },
    { input: { name: "a", either: { a: 1 } }, expected: ["either.a: 1 is not a name of a-z"] },
    { input: { name: "a", either: 4 }, expected: ["either: 4 is not 3"] },
    { input: { name: "a", typed: true }, expected: ["typed: true is not string or number"] },
  ])("of $input returns $expected", ({ input, expected }) => {
    expect(reasons(input)).toEqual(expected);
  });

  test("returns every problem at once, each once", () => {
    expect(reasons({ name: 1, count: 0, tags: ["A", "A"] })).toEqual([
      "name: 1 is not a name of a-z",
      "count: 0 is not a whole number from 1 to 5",
      'tags[0]: "A" is not a name of a-z',
      'tags[1]: "A" is not a name of a-z',
    ]);
  });

  test("of a union as the whole input returns the problems of the alternative that was meant", () => {
    const result = validate(v.union([openObject({ a: name }), v.string()]), { a: 1 }, "input");
    expect(result).toMatchObject({ problems: [{ path: "a", reason: "a: 1 is not a name of a-z" }] });
  });

  test("quotes a key that is no name in the path", () => {
    const result = validate(recordOf(v.string(), v.number()), { "a b": "x" }, "input");
    expect(result).toMatchObject({ problems: [{ path: '["a b"]', part: '"x"' }] });
  });
});

test.for([
  { name: "a schema with a message", schema: name, expected: "a name of a-z" },
  { name: "a schema without one", schema: v.string(), expected: "a string" },
  { name: "an optional schema", schema: v.optional(v.string()), expected: "a value" },
])("allowedBy of $name is $expected", ({ schema: of, expected }) => {
  expect(allowedBy(of)).toBe(expected);
});
