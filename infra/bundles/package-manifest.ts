import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryAddress } from "../config/runbook-url.ts";

type Texts = Readonly<Record<string, string>>;

/** What the manifest of the package has of that of the checkout. */
interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly license: string;
  readonly type: string;
  readonly bin: Texts;
  readonly engines: Texts;
  readonly dependencies: Texts;
  readonly peerDependencies: Texts;
}

/** Returns the manifest of the package in `folder`: its dependencies are what its modules import, because the bundles contain theirs. */
export function createManifest(manifest: Manifest, folder: string): object {
  const { name, version, description, keywords, license, type, bin, engines, peerDependencies } = manifest;
  const about = { name, version, description, keywords, license, type, bin, engines, peerDependencies };
  const repository = repositoryAddress();
  const imported = [...importedPackages(folder)].filter((one) => !(one in peerDependencies)).toSorted();
  return {
    ...about,
    ...(repository === null ? {} : { repository: { type: "git", url: `git+${repository}.git` } }),
    exports: { "./cdk": { types: "./infra/cdk.d.ts", default: "./infra/cdk.js" }, "./package.json": "./package.json" },
    dependencies: Object.fromEntries(imported.map((one) => [one, versionOf(one, manifest)])),
  };
}

function versionOf(name: string, { dependencies }: Manifest): string {
  const version = dependencies[name];
  if (version === undefined)
    throw new Error(`package.json: ${name} is imported by the package; add it to dependencies`);
  return version;
}

/** The name of a package in a statement that imports it, or a part of it. Modules of Node.js have the prefix `node:`. */
const importedName = /^(?:(?:import|export) .*|\}) from "((?:@[\w.-]+\/)?[a-z][\w.-]*)(?:\/[^"]*)?";$/gm;

/** Returns the names of the packages that the modules in the folders `infra` and `functions` import. */
function importedPackages(folder: string): ReadonlySet<string> {
  const modules = ["infra", "functions"].flatMap((part) =>
    readdirSync(join(folder, part), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".js"))
      .map((file) => readFileSync(join(folder, part, file), "utf8")),
  );
  const imported = modules.flatMap((text) => [...text.matchAll(importedName)]);
  return new Set(imported.map(([, name = ""]) => name));
}
