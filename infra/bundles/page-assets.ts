import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

export interface Asset {
  readonly type: string;
  readonly body: Uint8Array;
}

const page = new URL("../../cli/dashboard/page/", import.meta.url);

/** Where the package has the assets; a checkout has none. */
const prebuilt = new URL("page-assets.json", import.meta.url);

/** Returns the assets of the page by path. A checkout bundles them at each start, in about 100 ms. */
export async function buildAssets(): Promise<ReadonlyMap<string, Asset>> {
  return existsSync(prebuilt) ? parseAssets(await readFile(prebuilt, "utf8")) : bundlePage();
}

/** Returns the assets as the text that the package has. */
export function formatAssets(assets: ReadonlyMap<string, Asset>): string {
  return JSON.stringify(
    [...assets].map(([path, { type, body }]) => [path, type, Buffer.from(body).toString("base64")]),
  );
}

function parseAssets(text: string): ReadonlyMap<string, Asset> {
  const entries = JSON.parse(text) as readonly (readonly [path: string, type: string, body: string])[];
  return new Map(entries.map(([path, type, body]) => [path, { type, body: Buffer.from(body, "base64") }]));
}

/** Bundles the page. */
async function bundlePage(): Promise<ReadonlyMap<string, Asset>> {
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    entryPoints: { page: fileURLToPath(new URL("main.tsx", page)), style: fileURLToPath(new URL("page.css", page)) },
    outdir: "/assets",
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    write: false,
    logLevel: "silent",
  });
  const bundled = outputFiles.map(({ path, contents }): [string, Asset] => [
    path,
    { type: path.endsWith(".css") ? "text/css; charset=utf-8" : "text/javascript; charset=utf-8", body: contents },
  ]);
  const read = (file: string) => readFile(new URL(file, page));
  return new Map([
    ["/", { type: "text/html; charset=utf-8", body: await read("index.html") }],
    ["/assets/icon.svg", { type: "image/svg+xml", body: await read("icon.svg") }],
    ...bundled,
  ]);
}
