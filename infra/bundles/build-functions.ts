import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type BuildOptions, type Metafile, type Plugin } from "esbuild";
import { exportName, type HandlerName, handlerNames } from "../constructs/functions/function-specs.ts";
import { deferredEntries, deferredPackages } from "./deferred-packages.ts";
import { smallerPackages } from "./smaller-packages.ts";
import { readWords } from "./used-words.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** CommonJS dependencies call `require`, which an ES module does not have. */
const banner = `import{createRequire}from"node:module";const require=createRequire(import.meta.url);`;

/**
 * What the bundles have in common. Names are kept, because stack traces contain them; there are no source maps, which would be larger than the
 * code. Dynamic imports become separate files, which are loaded if they are needed.
 */
export const commonOptions = {
  bundle: true,
  splitting: true,
  platform: "node",
  format: "esm",
  mainFields: ["module", "main"],
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  banner: { js: banner },
  outExtension: { ".js": ".mjs" },
  chunkNames: "[name]-[hash]",
  absWorkingDir: root,
  logLevel: "silent",
  metafile: true,
} satisfies BuildOptions;

/**
 * Writes the bundle of all functions into a folder: `index.mjs`, which exports each handler by its name, and its chunks. Includes the AWS SDK,
 * because the version in the Lambda runtime is not pinned. The same sources give the same bytes.
 */
export async function buildFunctions(directory: string): Promise<Metafile> {
  const { metafile } = await build({
    ...commonOptions,
    target: "node24",
    entryPoints: { index: "functions:index", ...deferredEntries },
    plugins: [functionsEntry, deferredPackages, smallerPackages(readWords([join(root, "functions")]))],
    outdir: directory,
  });
  return metafile;
}

const functionsEntry: Plugin = {
  name: "functions-entry",
  setup(bundle) {
    bundle.onResolve({ filter: /^functions:/ }, ({ path }) => ({ path, namespace: "entry" }));
    bundle.onLoad({ filter: /./, namespace: "entry" }, () => ({
      contents: createEntry(),
      resolveDir: join(root, "functions", "handlers"),
    }));
  },
};

/** Restores the names of the tasks, which are in log lines: esbuild renames what two modules declare. */
function createEntry(): string {
  const names = handlerNames.map(exportName);
  const exportHandler = (handler: HandlerName) =>
    `import { handler as ${exportName(handler)}Handler, ${exportName(handler)} } from "./${handler}.ts";
export { ${exportName(handler)}Handler as ${exportName(handler)} };`;
  const restoreNames = `const tasks = { ${names.join(", ")} };
for (const name in tasks) Object.defineProperty(tasks[name], "name", { value: name });`;
  return [...handlerNames.map(exportHandler), restoreNames].join("\n");
}
