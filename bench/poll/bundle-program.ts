import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

// The same options as for the deployed functions, because type stripping in Node.js takes memory and time.
const banner = `import{createRequire}from"node:module";const require=createRequire(import.meta.url);`;

/** Bundles a program of this folder with its imports. Returns the path of the JavaScript file. */
export function bundleProgram(
  program: "contenders/pawl" | "contenders/bare-loop" | "usage" | "../hostile-hosts/poller" | "../tenants/poller",
): string {
  const directory = mkdtempSync(join(tmpdir(), "pawl-bench-"));
  process.on("exit", () => rmSync(directory, { recursive: true, force: true }));
  buildSync({
    entryPoints: [fileURLToPath(new URL(`${program}.ts`, import.meta.url))],
    outdir: directory,
    bundle: true,
    splitting: true,
    minify: true,
    platform: "node",
    target: "node24",
    format: "esm",
    mainFields: ["module", "main"],
    outExtension: { ".js": ".mjs" },
    banner: { js: banner },
    logLevel: "silent",
  });
  return join(directory, `${basename(program)}.mjs`);
}
