import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { FileSystem } from "aws-cdk-lib";
import { Architecture, Code, type ILayerVersion, LayerVersion, Runtime } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";

/** Where Lambda puts the files of a layer. */
const layerFolder = "/opt";

/** Returns the path of a file of a layer in the function. */
export function layerPath(name: string): string {
  return `${layerFolder}/${name}`;
}

/**
 * Creates a layer with the files of one function: all functions share one bundle of code, which depends on no configuration. The id changes
 * with the files, so that a new version of the function is published.
 */
export function createFilesLayer(scope: Construct, files: Readonly<Record<string, string>>): ILayerVersion {
  const folder = FileSystem.mkdtemp("pawl-files-");
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const hash = createHash("sha256").update(JSON.stringify(files)).digest("hex").slice(0, 8);
  return new LayerVersion(scope, `Files${hash}`, {
    code: Code.fromAsset(folder),
    description: Object.keys(files).join(", "),
    compatibleRuntimes: [Runtime.NODEJS_24_X],
    compatibleArchitectures: [Architecture.ARM_64],
  });
}
