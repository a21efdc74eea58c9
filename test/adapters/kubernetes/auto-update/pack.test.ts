import { expect, test } from "vitest";
import { createPacker } from "../../../../functions/adapters/kubernetes/auto-update/pack.ts";

const textOf = (index: number) =>
  JSON.stringify({
    name: `app-${index}`,
    note: "größer ≥ 日本",
    history: Array.from({ length: 50 }, (_, at) => `1.${at}.0`),
  });

test("what was packed is unpacked as it was, in any order", () => {
  const packer = createPacker();
  const texts = [textOf(0), "", "null", textOf(1), "x".repeat(100_000), textOf(2)];
  const packed = texts.map((text) => packer.pack(text));
  for (const index of [5, 0, 4, 1, 3, 2]) expect(packer.unpack(packed[index]!)).toBe(texts[index]);
});

test("a text like the first one takes a fraction of its length", () => {
  const packer = createPacker();
  packer.pack(textOf(0));
  expect(packer.pack(textOf(1)).length).toBeLessThan(textOf(1).length / 10);
});
