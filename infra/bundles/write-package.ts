import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import checkout from "../../package.json" with { type: "json" };
import { buildCli } from "./build-cli.ts";
import { buildFunctions } from "./build-functions.ts";
import { unlinkAbsentFiles } from "./package-links.ts";
import { createManifest } from "./package-manifest.ts";
import { buildAssets, formatAssets } from "./page-assets.ts";

// Writes the package into `dist`: its manifest, the constructs as JavaScript with types, the bundle of the functions, that of the command line,
// and the files that they read, in the same folders as here.

const root = fileURLToPath(new URL("../..", import.meta.url));
const dist = join(root, "dist");
const files = [
  "CHANGELOG.md",
  "LICENSE",
  "README.md",
  "cli/kubectl-complete.js",
  "cli/pawl.js",
  "docs",
  "infra/cluster",
  "infra/config/pawl.schema.json",
  "infra/ssm",
  "infra/team-page",
  "infra/terraform",
  "state-machines",
];

rmSync(dist, { recursive: true, force: true });
const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
execFileSync(process.execPath, [compiler, "-p", join(root, "infra", "bundles", "tsconfig.package.json")], {
  stdio: "inherit",
});
await buildFunctions(join(dist, "bundle"));
await buildCli(dist);
for (const file of files) cpSync(join(root, file), join(dist, file), { recursive: true });
unlinkAbsentFiles(dist);
mkdirSync(join(dist, "infra", "bundles"), { recursive: true });
writeFileSync(join(dist, "infra", "bundles", "page-assets.json"), formatAssets(await buildAssets()));
writeFileSync(join(dist, "package.json"), `${JSON.stringify(createManifest(checkout, dist), null, 2)}\n`);
