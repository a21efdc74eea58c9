import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A Markdown link to another file, with or without an anchor in it. */
const fileLink = /\[([^[\]]+)\]\((?![a-z]+:)([^()#\s]+)(?:#[^()\s]*)?\)/g;

/** Makes links of the pages in `folder` to files that are not there plain text: the package has no tests and no measurements. */
export function unlinkAbsentFiles(folder: string): void {
  const pages = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".md"));
  for (const page of pages) {
    const path = join(folder, page);
    const text = readFileSync(path, "utf8");
    const linked = text.replaceAll(fileLink, (link, label: string, target: string) =>
      existsSync(join(dirname(path), target)) ? link : label,
    );
    writeFileSync(path, linked);
  }
}
