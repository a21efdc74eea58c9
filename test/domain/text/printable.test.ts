import { describe, expect, test } from "vitest";
import { escapeControls, escapeExceptColours, toSingleLine } from "../../../functions/domain/text/printable.ts";

describe("escapes what controls a terminal", () => {
  test.for([
    { text: "plain: ä 日本語 🙂\nnext", escaped: "plain: ä 日本語 🙂\nnext" },
    { text: "\u001b[31mred\u001b[39m", escaped: "\\u001b[31mred\\u001b[39m" },
    { text: "a\rb\tc\u0000d\u007f", escaped: "a\\u000db\\u0009c\\u0000d\\u007f" },
    { text: "\u009b31m\u0090\u0080", escaped: "\\u009b31m\\u0090\\u0080" },
    { text: "\u202abidi\u202e\u2066\u2069\u200f\u061c", escaped: "\\u202abidi\\u202e\\u2066\\u2069\\u200f\\u061c" },
    { text: "lines\u2028\u2029", escaped: "lines\\u2028\\u2029" },
  ])("$escaped", ({ text, escaped }) => {
    expect(escapeControls(text)).toBe(escaped);
  });

  test("in JSON it is read as it was", () => {
    const document = { reason: "\u001b]0;title\u0007\u009b2J\u202e\u2028\u007f" };
    const json = escapeControls(JSON.stringify(document, null, 2));
    expect(json).toMatch(/^[\n -~]*$/);
    expect(JSON.parse(json)).toEqual(document);
  });

  test("but for Pawl's own colours on a terminal", () => {
    expect(escapeExceptColours("\u001b[31mred\u001b[39m\u001b[8m\u001b[2J\u009b31m")).toBe(
      "\u001b[31mred\u001b[39m\\u001b[8m\\u001b[2J\\u009b31m",
    );
  });
});

describe("makes foreign text one line", () => {
  test.for([
    { text: " two\r\n\tlines ", line: "two lines" },
    { text: "\u001b[1;31mred\u001b[0m and \u009b2Jclear", line: "red and clear" },
    { text: "\u001b]0;title\u0007after\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\", line: "afterlink" },
    { text: "\u001bPpayload\u009cafter", line: "after" },
    { text: "\u001bcreset \u001b]unfinished", line: "reset unfinished" },
    { text: "admin\u202enimda", line: "admin\\u202enimda" },
    { text: "a\u0000b\u0085c", line: "a b c" },
  ])("$line", ({ text, line }) => {
    expect(toSingleLine(text)).toBe(line);
  });
});
