import { expect, test } from "vitest";
import { summarizeList } from "../../../functions/domain/text/summarize-list.ts";

const texts = (count: number) => Array.from({ length: count }, (_, index) => `w${index}`);

test.for<[number, readonly string[]]>([
  [0, []],
  [5, texts(5)],
  [6, [...texts(5), "1 more"]],
  [1000, [...texts(5), "995 more"]],
])("of %s texts", ([count, summary]) => {
  expect(summarizeList(texts(count))).toEqual(summary);
});

test("names the kind of the omitted texts", () => {
  expect(summarizeList(texts(7), "more in progress").at(-1)).toBe("2 more in progress");
});

test.for([
  { length: 300, end: "xx" },
  { length: 301, end: "x…" },
  { length: 100_000, end: "x…" },
])("a text of $length is cut at 300", ({ length, end }) => {
  const [text = ""] = summarizeList(["x".repeat(length)]);
  expect([text.length, text.slice(-2)]).toEqual([300, end]);
});
