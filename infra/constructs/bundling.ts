import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { AssetHashType } from "aws-cdk-lib";
import { Code, Runtime } from "aws-cdk-lib/aws-lambda";
import { buildSync } from "esbuild";
import { functionSpecs, type FunctionSpec, type HandlerName, type Capability } from "./function-specs.ts";
import { certificatesFile } from "./resource-names.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const handlers = join(root, "functions", "handlers");

/** Returns the file that a function is bundled from. */
export function entryPath(handler: string): string {
  return join(handlers, `${handler}.ts`);
}

/** CommonJS dependencies call `require`, which an ES module does not have. */
const banner = `import{createRequire}from"node:module";const require=createRequire(import.meta.url);`;

/**
 * Includes the AWS SDK, because the version in the Lambda runtime is not pinned. Dynamic imports become separate files, so
 * they do not slow a cold start. Names are kept because log lines contain them.
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

/** The packages of each capability. The bundles of functions without it exclude them. */
const capabilityPackages: Readonly<Record<Capability | "cluster", readonly string[]>> = {
  cluster: ["@kubernetes/client-node", "@aws-sdk/client-eks"],
  registries: ["@aws-sdk/client-ecr", "@aws-sdk/client-ecr-public"],
  executions: ["@aws-sdk/client-sfn"],
  events: ["@aws-sdk/client-eventbridge"],
  "record-check": ["@aws-sdk/client-lambda"],
  polls: ["@aws-sdk/client-lambda"],
  analyses: [],
  // Requests to Amazon Managed Service for Prometheus are signed by the packages that EKS access needs as well.
  "metric-providers": ["@aws-sdk/client-cloudwatch"],
  pools: [],
  "pool-executions": ["@aws-sdk/client-sfn"],
  "pool-secrets": [],
  "record-pool": ["@aws-sdk/client-lambda"],
  commands: ["@aws-sdk/client-ssm"],
};

function unusedPackages(handler: HandlerName): string[] {
  const { group, capabilities }: FunctionSpec = functionSpecs[handler];
  const used = new Set(
    [...capabilities, ...(group === null ? [] : ["cluster" as const])].flatMap(
      (capability) => capabilityPackages[capability],
    ),
  );
  return [...new Set(Object.values(capabilityPackages).flat())].filter((name) => !used.has(name));
}

/** Writes the deployed files of a function: `index.mjs`, its chunks and their source maps. */
export function bundle(handler: HandlerName, directory: string): void {
  const { outputFiles } = build(handler);
  mkdirSync(directory, { recursive: true });
  for (const { path, contents } of outputFiles) writeFileSync(join(directory, basename(path)), contents);
}

/** Returns the paths of all files whose code is in a function's bundle, relative to the root. */
export function listInputs(handler: HandlerName): readonly string[] {
  const { outputs } = build(handler).metafile;
  return [...new Set(Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs)))];
}

function build(handler: HandlerName) {
  // A fixed path, so that the source maps, and therefore the asset's hash, do not depend on where they are written.
  const outdir = join(root, "cdk.out", "bundle");
  const mainFields = [...esbuildOptions.mainFields];
  const files = { entryPoints: [entryPath(handler)], external: unusedPackages(handler), outdir };
  return buildSync({ ...esbuildOptions, ...files, mainFields, write: false, metafile: true });
}

/**
 * Returns a handler's bundle as the code of a Lambda function, with a PEM file of certificates unless that is null, and other
 * files. All clusters share it.
 */
export function createCode(
  handler: HandlerName,
  certificates: string | null,
  files: Readonly<Record<string, string>> = {},
): Code {
  return Code.fromAsset(dirname(entryPath(handler)), {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // The command is never run: the CDK identifies the bundle by it.
      command: [handler, ...(certificates === null ? [] : [certificates]), ...Object.entries(files).flat()],
      image: Runtime.NODEJS_24_X.bundlingImage,
      local: {
        tryBundle(directory) {
          bundle(handler, directory);
          if (certificates !== null) copyFileSync(certificates, join(directory, certificatesFile));
          for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
          return true;
        },
      },
    },
  });
}
