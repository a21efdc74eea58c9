import { expect, test } from "vitest";
import { firstFew } from "../../../functions/domain/node-pool/first-few.ts";

const texts = (count: number) => Array.from({ length: count }, (_, index) => `w${index}`);

test.for<[number, readonly string[]]>([
  [0, []],
  [5, texts(5)],
  [6, [...texts(5), "1 more"]],
  [1000, [...texts(5), "995 more"]],
])("of %s texts", ([count, few]) => {
  expect(firstFew(texts(count))).toEqual(few);
});

test("says what there is more of", () => {
  expect(firstFew(texts(7), "more move").at(-1)).toBe("2 more move");
});

test.for([
  { length: 300, end: "xx" },
  { length: 301, end: "x…" },
  { length: 100_000, end: "x…" },
])("a text of $length is cut at 300", ({ length, end }) => {
  const [text = ""] = firstFew(["x".repeat(length)]);
  expect([text.length, text.slice(-2)]).toEqual([300, end]);
});
