import { existsSync, statSync } from "node:fs";
import { posix } from "node:path";

/** What is used of a token of markdown-it. */
export interface Token {
  readonly type: string;
  tag: string;
  attrs: unknown;
  readonly content: string;
  readonly children: readonly Token[] | null;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}

/** Gives each heading its anchor, and turns links to files into links to pages of the site, or to the repository. */
export function linkPage(tokens: readonly Token[], inputPath: string, repository: string | null): void {
  const taken = new Map<string, number>();
  for (const [at, token] of tokens.entries()) {
    if (token.type === "heading_open") token.attrSet("id", uniqueAnchor(tokens[at + 1]?.content ?? "", taken));
    if (token.type.startsWith("th_") && isEmptyCell(tokens, at)) token.tag = "td";
    let isText = false;
    for (const child of token.children ?? []) {
      if (child.type === "link_open") {
        const link = linkOf(child.attrGet("href") ?? "", posix.dirname(posix.normalize(inputPath)), repository);
        isText = link === null;
        if (link === null) child.attrs = null;
        else child.attrSet("href", link);
      }
      if (isText && child.type.startsWith("link_")) child.tag = "span";
    }
  }
}

/** Whether the cell that begins or ends here has no text: assistive technology expects one in a header. */
function isEmptyCell(tokens: readonly Token[], at: number): boolean {
  return tokens[tokens[at]?.type === "th_open" ? at + 1 : at - 1]?.content === "";
}

/** Returns the anchor of a heading as GitHub computes it. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, "")
    .replaceAll(/\s/g, "-");
}

/** Returns the anchor, with a number if the page has it already. */
function uniqueAnchor(heading: string, taken: Map<string, number>): string {
  const anchor = anchorOf(heading.replaceAll(/\]\([^)]*\)/g, "]"));
  const before = taken.get(anchor) ?? 0;
  taken.set(anchor, before + 1);
  return before === 0 ? anchor : `${anchor}-${before}`;
}

/** Returns the link in the site; null if it leads to a file of the project whose address nobody knows. */
function linkOf(href: string, folder: string, repository: string | null): string | null {
  if (/^(?:[a-z]+:|#)/.test(href)) return href;
  const [path = "", anchor] = href.split("#");
  const file = posix.join(folder, path);
  const hash = anchor === undefined ? "" : `#${anchor}`;
  if (file.startsWith("docs/") || !existsSync(file)) return path.replace(/\.md$/, ".html") + hash;
  if (repository === null) return null;
  return `${repository}/${statSync(file).isDirectory() ? "tree" : "blob"}/HEAD/${file}${hash}`;
}
