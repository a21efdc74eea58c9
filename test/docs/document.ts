import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

export const root = join(import.meta.dirname, "..", "..");

/** Every document for users, relative to the root of the project. */
export const documents: readonly string[] = globSync(["*.md", "docs/*/*.md", "bench/README.md"], {
  cwd: root,
}).toSorted();

/** Reads a page of docs/ by the name of its file, whatever its folder. */
export function readDocument(name: string): string {
  const [page, ...others] = documents.filter((document) => document.startsWith("docs/") && basename(document) === name);
  if (page === undefined || others.length > 0) throw new Error(`docs/: not one page named ${name}`);
  return readFileSync(join(root, page), "utf8");
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
