import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const root = join(import.meta.dirname, "..", "..");

/** Every document for users, relative to the root of the project. */
export const documents: readonly string[] = globSync(["*.md", "docs/*.md", "bench/README.md"], {
  cwd: root,
}).toSorted();

/** Reads a file in docs/. */
export function readDocument(name: string): string {
  return readFileSync(join(root, "docs", name), "utf8");
}

/** Returns the text below every heading of a level, by heading. */
export function sectionsOf(text: string, level: number): ReadonlyMap<string, string> {
  const mark = "#".repeat(level);
  const sections = text.split(new RegExp(`^(?=#{1,${level}} )`, "m")).filter((part) => part.startsWith(`${mark} `));
  return new Map(
    sections.map((section) => {
      const [heading = "", ...rest] = section.split("\n");
      return [heading.slice(level + 1), rest.join("\n")];
    }),
  );
}
