import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";
import { commonOptions } from "./build-functions.ts";
import { deferredEntries, deferredPackages } from "./deferred-packages.ts";
import { smallerPackages } from "./smaller-packages.ts";
import { readWords } from "./used-words.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Writes the bundle of the command line into the folder `cli` of the package: `pawl.mjs`, and a file for each command and each client, so that
 * a command loads what it needs only. The package has no esbuild: the page of its dashboard is bundled already. The CDK is that of the app.
 */
export async function buildCli(packageFolder: string): Promise<void> {
  await build({
    ...commonOptions,
    target: "node22",
    entryPoints: { pawl: join(root, "cli", "pawl.ts"), ...deferredEntries },
    external: ["esbuild", "aws-cdk-lib", "constructs"],
    plugins: [
      deferredPackages,
      smallerPackages(readWords(["cli", "functions", "infra/local"].map((folder) => join(root, folder)))),
      keepUrls,
    ],
    outdir: join(packageFolder, "cli"),
  });
}

/** Lets `import.meta.url` be that of the source file: the package has the files that are found by it in the same folders. */
const keepUrls: Plugin = {
  name: "keep-urls",
  setup(bundle) {
    bundle.onLoad({ filter: /\/(cli|functions|infra)\/.*\.ts$/ }, ({ path }) => {
      const source = readFileSync(path, "utf8");
      if (path.includes("/node_modules/") || !source.includes("import.meta.url")) return undefined;
      const url = `new URL(${JSON.stringify(relative(join(root, "cli"), path))}, import.meta.url).href`;
      return { contents: source.replaceAll("import.meta.url", url), loader: "ts", resolveDir: dirname(path) };
    });
  },
};
