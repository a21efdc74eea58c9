import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findRegularExpressions } from "./regular-expressions.ts";

test("finds literals, and what RegExp builds from constants of this file and others", async () => {
  const root = await mkdtemp(join(tmpdir(), "pawl-expressions-"));
  onTestFinished(() => rm(root, { recursive: true }));
  await writeFile(join(root, "other.ts"), "export const digits: string = String.raw`\\d+`;\n");
  await writeFile(
    join(root, "one.ts"),
    [
      'import { digits } from "./other.ts";',
      'const letter = "[a-z]" + "+";',
      "export const found = [/a\\/b/gi, new RegExp(`^${digits}-${letter}$`, 'u')];",
      "export const built = (text: string) => RegExp(text);",
    ].join("\n"),
  );
  expect(findRegularExpressions(["."], root)).toEqual([
    { place: "one.ts:3", source: "a\\/b", flags: "gi" },
    { place: "one.ts:3", source: "^\\d+-[a-z]+$", flags: "u" },
    { place: "one.ts:4", source: null, flags: "" },
  ]);
});
