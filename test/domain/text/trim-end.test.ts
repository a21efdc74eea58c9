import { expect, test } from "vitest";
import { trimEnd } from "../../../functions/domain/text/trim-end.ts";

test.for([
  { text: "https://host//", characters: "/", trimmed: "https://host" },
  { text: "a-b.-", characters: "-.", trimmed: "a-b" },
  { text: "//", characters: "/", trimmed: "" },
  { text: "", characters: "/", trimmed: "" },
  { text: "/a", characters: "/", trimmed: "/a" },
])("$text without $characters at its end is $trimmed", ({ text, characters, trimmed }) => {
  expect(trimEnd(text, characters)).toBe(trimmed);
});
