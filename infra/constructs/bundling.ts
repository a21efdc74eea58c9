import { fileURLToPath } from "node:url";
import { OutputFormat, type BundlingOptions } from "aws-cdk-lib/aws-lambda-nodejs";

const root = fileURLToPath(new URL("../..", import.meta.url));

export const projectRoot = root;

/** The file that a function is bundled from. */
export function entryOf(handler: string): string {
  return fileURLToPath(new URL(`../../functions/handlers/${handler}.ts`, import.meta.url));
}

/** Dependencies that are still CommonJS ask for `require`, which a module does not have. */
const banner = `import{createRequire}from"node:module";const require=createRequire(import.meta.url);`;

/** esbuild's own options: what `bundling` comes to. Names are kept because log lines carry the task's. */
export const esbuildOptions = {
  bundle: true,
  platform: "node",
  target: "node24",
  format: "esm",
  mainFields: ["module", "main"],
  minify: true,
  keepNames: true,
  sourcemap: true,
  sourcesContent: false,
  banner: { js: banner },
  outExtension: { ".js": ".mjs" },
} as const;

/** The same for the CDK. Nothing is left to the runtime's own copy of the SDK, whose version is not ours to say. */
export const bundling: BundlingOptions = {
  target: esbuildOptions.target,
  format: OutputFormat.ESM,
  mainFields: [...esbuildOptions.mainFields],
  minify: esbuildOptions.minify,
  keepNames: esbuildOptions.keepNames,
  sourceMap: esbuildOptions.sourcemap,
  sourcesContent: esbuildOptions.sourcesContent,
  banner,
  externalModules: [],
};
