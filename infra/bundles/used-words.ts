import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Returns every word of the source files in these folders. A member of a generated class whose name is not among them is never called
 * from there.
 */
export function readWords(folders: readonly string[]): ReadonlySet<string> {
  const words = new Set<string>();
  for (const folder of folders) {
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
    for (const file of files) {
      for (const [word] of readFileSync(join(folder, file), "utf8").matchAll(/\w+/g)) words.add(word);
    }
  }
  return words;
}
