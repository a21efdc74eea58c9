import { expect, test } from "vitest";
import { isBeyond, limitOf, parseMargin } from "../../../../functions/domain/analysis/comparison/margin.ts";

test.for([
  { text: "20%", relative: 0.2, absolute: 0 },
  { text: " 12.5% ", relative: 0.125, absolute: 0 },
  { text: "20% + 0.001", relative: 0.2, absolute: 0.001 },
  { text: "0%+5", relative: 0, absolute: 5 },
])("parses $text", ({ text, relative, absolute }) => {
  expect(parseMargin(text)).toEqual({ kind: "margin", relative, absolute, text: text.trim() });
});

test.for(["", "20", "0.001", "-1%", "20% 5", "20% + ", "20% + -1", "%", "1e3%"])("refuses %j", (text) => {
  expect(parseMargin(text)).toMatchObject({
    kind: "invalid",
    reason: `"${text}" is not a margin such as 20%, 20% + 0.001 or 0% + 0.001`,
  });
});

test.for([
  { direction: 1, stable: 10, limit: 13 },
  { direction: -1, stable: 10, limit: 7 },
  { direction: 1, stable: -10, limit: -7 },
] as const)("20% + 1 of $stable is $limit in the direction $direction", ({ direction, stable, limit }) => {
  const margin = { direction, relative: 0.2, absolute: 1, text: "20% + 1" };
  expect(limitOf(margin, stable)).toBe(limit);
  expect([limit - 1, limit, limit + 1].map((value) => isBeyond(margin, value, limit))).toEqual([
    direction === -1,
    false,
    direction === 1,
  ]);
});
