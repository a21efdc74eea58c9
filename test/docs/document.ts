import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The text of a file in docs/. */
export function readDocument(name: string): string {
  return readFileSync(join(import.meta.dirname, "..", "..", "docs", name), "utf8");
}

/** The paragraphs below every heading of a level, by the heading's text. */
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
