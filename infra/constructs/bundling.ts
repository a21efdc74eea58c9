import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { AssetHashType } from "aws-cdk-lib";
import { Code, Runtime } from "aws-cdk-lib/aws-lambda";
import { buildSync } from "esbuild";
import { functionSpecs, type FunctionSpec, type HandlerName, type Use } from "./functions.ts";
import { certificatesFile } from "./names.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const handlers = join(root, "functions", "handlers");

/** The file that a function is bundled from. */
export function entryOf(handler: string): string {
  return join(handlers, `${handler}.ts`);
}

/** Dependencies that are still CommonJS ask for `require`, which a module does not have. */
const banner = `import{createRequire}from"node:module";const require=createRequire(import.meta.url);`;

/**
 * Nothing is left to the runtime's own copy of the SDK, whose version is not ours to say. What is imported when it is
 * needed becomes a file of its own, and costs a cold start nothing. Names are kept because log lines carry the task's.
 */
export const esbuildOptions = {
  bundle: true,
  splitting: true,
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
  entryNames: "index",
  chunkNames: "[name]-[hash]",
  absWorkingDir: root,
  logLevel: "silent",
} as const;

/** What each use needs: it stays out of the bundles of the functions that have no such use. */
const packagesOf: Readonly<Record<Use | "cluster", readonly string[]>> = {
  cluster: ["@kubernetes/client-node", "@aws-sdk/client-eks"],
  registries: ["@aws-sdk/client-ecr", "@aws-sdk/client-ecr-public"],
  executions: ["@aws-sdk/client-sfn"],
  events: ["@aws-sdk/client-eventbridge"],
  "record-check": ["@aws-sdk/client-lambda"],
  polls: ["@aws-sdk/client-lambda"],
  // What signs its queries signs the way into an EKS cluster as well.
  prometheus: [],
  pools: [],
  "pool-executions": ["@aws-sdk/client-sfn"],
  "pool-secrets": [],
  "record-pool": ["@aws-sdk/client-lambda"],
  commands: ["@aws-sdk/client-ssm"],
};

function unusedPackages(handler: HandlerName): string[] {
  const { group, uses }: FunctionSpec = functionSpecs[handler];
  const used = new Set([...uses, ...(group === null ? [] : ["cluster" as const])].flatMap((use) => packagesOf[use]));
  return [...new Set(Object.values(packagesOf).flat())].filter((one) => !used.has(one));
}

/** Writes `index.mjs`, what it loads and their source maps: the function as it is deployed. */
export function bundle(handler: HandlerName, directory: string): void {
  // As if within the project: paths in the source maps, and so the asset's hash, do not depend on where it is written.
  const outdir = join(root, "cdk.out", "bundle");
  const options = { ...esbuildOptions, entryPoints: [entryOf(handler)], external: unusedPackages(handler), outdir };
  const { outputFiles } = buildSync({ ...options, mainFields: [...options.mainFields], write: false });
  mkdirSync(directory, { recursive: true });
  for (const { path, contents } of outputFiles) writeFileSync(join(directory, basename(path)), contents);
}

/**
 * A handler's bundle as the code of a Lambda, with a PEM file of certificates beside it unless that is null. Made once however
 * many clusters it is for.
 */
export function codeOf(handler: HandlerName, certificates: string | null): Code {
  return Code.fromAsset(dirname(entryOf(handler)), {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // The command is never run: it is by this that the CDK tells one bundle from another.
      command: [handler, ...(certificates === null ? [] : [certificates])],
      image: Runtime.NODEJS_24_X.bundlingImage,
      local: {
        tryBundle(directory) {
          bundle(handler, directory);
          if (certificates !== null) copyFileSync(certificates, join(directory, certificatesFile));
          return true;
        },
      },
    },
  });
}
