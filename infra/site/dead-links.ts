import { existsSync } from "node:fs";
import { posix } from "node:path";

/** A page that was built. */
export interface Page {
  readonly outputPath: string;
  readonly content: string;
}

/** Returns each link and picture of the pages that leads to no file of the site, or to no anchor of its page. */
export function deadLinks(pages: readonly Page[], output: string): readonly string[] {
  const contents = new Map(pages.map(({ outputPath, content }) => [posix.normalize(outputPath), content]));
  return pages.flatMap(({ outputPath, content }) => {
    const page = posix.normalize(outputPath);
    const links = [...content.matchAll(/ (?:href|src)="(?!https?:|mailto:)([^"]+)"/g)].map(([, link = ""]) => link);
    return links
      .filter((link) => !link.includes("pagefind/") && !leadsSomewhere(link, page, output, contents))
      .map((link) => `${posix.relative(output, page)}: ${link}`);
  });
}

function leadsSomewhere(link: string, page: string, output: string, contents: ReadonlyMap<string, string>): boolean {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? page : posix.join(posix.dirname(page), path);
  if (anchor === undefined) return existsSync(target) && target.startsWith(posix.normalize(`${output}/`));
  return contents.get(target)?.includes(` id="${anchor}"`) ?? false;
}
