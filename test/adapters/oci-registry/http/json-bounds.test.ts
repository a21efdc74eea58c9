import { describe, expect, test } from "vitest";
import { jsonBoundReason } from "../../../../functions/adapters/oci-registry/http/json-bounds.ts";
import { parseJson } from "../../../../functions/adapters/oci-registry/http/read-body.ts";
import { growthOf } from "../../../support/run/growth.ts";

const tooDeep = "JSON that is nested more than 32 levels deep";
const tooMany = "JSON of more than 200000 values";
const nest = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

describe("bounds of JSON", () => {
  test.for([
    { when: "a tag list", text: '{"name":"a","tags":["1.0.0"]}', reason: null },
    { when: "100,000 tags", text: JSON.stringify({ tags: Array.from({ length: 100_000 }, String) }), reason: null },
    { when: "32 levels", text: nest(32), reason: null },
    { when: "33 levels", text: nest(33), reason: tooDeep },
    { when: "33 levels of objects and lists", text: `${'{"a":['.repeat(16)}{`, reason: tooDeep },
    { when: "levels that end", text: `[${`${nest(31)},`.repeat(100)}0]`, reason: null },
    { when: "brackets in a string", text: JSON.stringify("[{,".repeat(100_000)), reason: null },
    { when: "a string with escaped quotation marks", text: JSON.stringify('"[\\'.repeat(100)), reason: null },
    { when: "nesting after a string that ends in a backslash", text: `["\\\\",${nest(33)}]`, reason: tooDeep },
    { when: "a string without an end", text: `["${"[".repeat(100)}`, reason: null },
    { when: "many numbers", text: `[${"1,".repeat(200_000)}1]`, reason: tooMany },
    { when: "many empty lists", text: `[${"[],".repeat(100_001)}1]`, reason: tooMany },
    { when: "many members", text: `{${'"a":1,'.repeat(200_001)}"b":1}`, reason: tooMany },
  ])("$when: $reason", ({ text, reason }) => {
    const bytes = Buffer.from(text);
    expect(jsonBoundReason(bytes)).toBe(reason);
  });

  test("are checked before JSON is parsed", () => {
    expect(parseJson(Buffer.from(nest(32)))).toBeDefined();
    expect(parseJson(Buffer.from(nest(33)))).toBeUndefined();
  });

  test("are checked in time in proportion to the length", () => {
    const check = (text: string) => jsonBoundReason(Buffer.from(text));
    for (const unit of ["[", '"', "\\", '"\\', "a", '",', "[]"])
      expect(growthOf(check, (size) => unit.repeat(size * 20))).toBeLessThan(8);
  });
});
