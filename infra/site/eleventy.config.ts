import { globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { createIndex } from "pagefind";
import { repositoryAddress } from "../config/runbook-url.ts";
import { deadLinks, type Page } from "./dead-links.ts";
import { linkPage, type Token } from "./link-page.ts";

/** What this file uses of Eleventy, which has no types. */
interface Eleventy {
  addGlobalData(name: string, value: unknown): void;
  addPassthroughCopy(copies: Readonly<Record<string, string>>): void;
  addTemplate(path: string, content: string): void;
  amendLibrary(name: "md", amend: (markdown: Markdown) => void): void;
  on(event: "eleventy.after", run: (built: Built) => Promise<void>): void;
}

interface Markdown {
  readonly core: { readonly ruler: { push(name: string, rule: (state: State) => void): void } };
}

interface State {
  readonly tokens: readonly Token[];
  readonly env: { readonly page: { readonly inputPath: string } };
}

interface Built {
  readonly directories: { readonly output: string };
  readonly results: readonly Page[];
}

const root = fileURLToPath(new URL("../..", import.meta.url));
/** The kinds of pages: to learn, to do something, to look something up, to understand. */
const kinds = ["tutorial", "how-to", "reference", "explanation"];
/** The first page of the site is that of the project, where links begin with the name of this folder. */
const home = readFileSync(join(root, "README.md"), "utf8").replaceAll("](", "](../").replaceAll("](../docs/", "](");

/** Configures Eleventy to write the site from `docs`: `npm run docs`. A dead link fails it. */
export default function configure(eleventy: Eleventy): object {
  eleventy.addTemplate("index.md", home.replaceAll(/\]\(\.\.\/(?=https?:)/g, "]("));
  eleventy.addPassthroughCopy({ "cli/dashboard/page/icon.svg": "icon.svg", "docs/pictures": "pictures" });
  eleventy.addGlobalData("layout", "page.liquid");
  eleventy.addGlobalData(
    "permalink",
    () => (data: { page: { filePathStem: string } }) => `${data.page.filePathStem}.html`,
  );
  eleventy.addGlobalData("navigation", kinds.map(sectionOf));
  const repository = repositoryAddress();
  eleventy.amendLibrary("md", ({ core }) => {
    core.ruler.push("links", ({ tokens, env }) => linkPage(tokens, env.page.inputPath, repository));
  });
  eleventy.on("eleventy.after", async ({ directories, results }) => {
    await build({
      entryPoints: [join(root, "infra/site/site.css")],
      outdir: directories.output,
      bundle: true,
      minify: true,
    });
    const dead = deadLinks(results, directories.output);
    if (dead.length > 0) throw new Error(`docs: ${dead.length} dead links:\n${dead.join("\n")}`);
    await writeIndex(directories.output);
  });
  return {
    dir: { input: "docs", includes: "../infra/site", output: "site" },
    templateFormats: ["md"],
    markdownTemplateEngine: false,
  };
}

/** Returns the pages of a kind, with their titles. */
function sectionOf(kind: string) {
  const pages = globSync(`docs/${kind}/*.md`, { cwd: root }).toSorted();
  return {
    kind,
    pages: pages.map((file) => ({
      path: `${kind}/${posix.basename(file, ".md")}.html`,
      title: /^# (.+)$/m.exec(readFileSync(join(root, file), "utf8"))?.[1]?.replaceAll("`", "") ?? file,
    })),
  };
}

/** Writes the index of the search, and its code, into the folder `pagefind`. */
async function writeIndex(folder: string): Promise<void> {
  const { index, errors } = await createIndex({});
  if (index === undefined) throw new Error(`docs: the search has no index: ${errors.join("; ")}`);
  const found = await index.addDirectory({ path: folder });
  const written = await index.writeFiles({ outputPath: join(folder, "pagefind") });
  const failed = [...found.errors, ...written.errors];
  if (failed.length > 0) throw new Error(`docs: the search has no index: ${failed.join("; ")}`);
}
