import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bundleFunctions } from "../constructs/functions/bundling.ts";

/** Returns `name@version` of every package whose code is in the bundle of the functions. */
export function listBundledPackages(): ReadonlySet<string> {
  const folders = new Set(bundleFunctions().inputs.flatMap(packageFolder));
  return new Set([...folders].map(readNameAndVersion));
}

/** Returns the folder of the package that a file belongs to: after the last `node_modules`, because packages nest. */
function packageFolder(path: string): readonly string[] {
  const [, folder] = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
  return folder === undefined ? [] : [folder];
}

function readNameAndVersion(folder: string): string {
  const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Record<string, string>;
  return `${name}@${version}`;
}
