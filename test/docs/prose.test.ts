import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { documents, root } from "./document.ts";

const maxWords = 2000;
const maxWordsOfSentence = 30;

/** Returns the paragraphs and list items of a page, without headings, tables, pictures and code. */
function blocksOf(text: string): readonly string[] {
  const blocks: string[] = [];
  let isOpen = false;
  for (const line of text.replaceAll(/^ *```.*?^ *```$/gms, "").split("\n")) {
    const isProse = !/^\s*$|^#|^\s*\||^!\[|^ {4}/.test(line);
    const [item = ""] = /^ *(?:[-*]|\d+\.) /.exec(line) ?? [];
    if (isProse && isOpen && item === "") blocks.push(`${blocks.pop()} ${line.trim()}`);
    else if (isProse) blocks.push(line.slice(item.length).trim());
    isOpen = isProse;
  }
  return blocks;
}

/** A span of code is one word, and so is each word of a link. */
function wordsOf(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
}

/** A colon ends a sentence too: an explanation or a list comes after it. */
function sentencesOf(block: string): readonly string[] {
  return block
    .replaceAll(/`[^`]*`/g, "code")
    .replaceAll(/\]\([^)]*\)/g, "]")
    .split(/(?<=[.!?:][)*"]*)\s/);
}

const pages = documents.filter((document) => document.startsWith("docs/"));

describe.for(pages)("%s", (page) => {
  const text = readFileSync(join(root, page), "utf8");
  const sentences = blocksOf(text).flatMap(sentencesOf);

  test("begins with what it is for", () => {
    const [title = "", empty, first = ""] = text.split("\n");
    expect(title).toMatch(/^# /);
    expect(empty).toBe("");
    expect(first).toMatch(/^[\p{L}`"]/u);
    expect(wordsOf(first).length).toBeGreaterThan(5);
  });

  test(`has fewer than ${maxWords} words, besides tables and code`, () => {
    expect(wordsOf(sentences.join(" ")).length).toBeLessThan(maxWords);
  });

  test(`has sentences of fewer than ${maxWordsOfSentence} words`, () => {
    expect(sentences.filter((sentence) => wordsOf(sentence).length >= maxWordsOfSentence)).toEqual([]);
  });
});

test("counts the words of paragraphs and items, but of no table and no code", () => {
  const text =
    "# A title\n\nOne `two words`: [three four](five.md).\nSix!\n\n| a | b |\n\n```sh\nx y\n```\n\n1. Seven\n   eight\n- nine\n";
  expect(blocksOf(text).flatMap(sentencesOf)).toEqual(["One code:", "[three four].", "Six!", "Seven eight", "nine"]);
});
