import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { AssetHashType } from "aws-cdk-lib";
import { Code, Runtime } from "aws-cdk-lib/aws-lambda";
import { exportName, type HandlerName } from "./function-specs.ts";

/** The bundle in the package; a checkout has none. */
const prebuilt = fileURLToPath(new URL("../../../bundle", import.meta.url));

const program = fileURLToPath(new URL("../../bundles/write-functions.ts", import.meta.url));

export interface FunctionsBundle {
  /** Contains `index.mjs`, which exports every handler, and its chunks. */
  readonly folder: string;
  /** The paths of all files whose code is in the bundle, relative to the root. */
  readonly inputs: readonly string[];
}

let built: FunctionsBundle | null = null;

/** Builds the bundle of all functions, once per process. */
export function bundleFunctions(): FunctionsBundle {
  return (built ??= build());
}

function build(): FunctionsBundle {
  const directory = mkdtempSync(join(tmpdir(), "pawl-functions-"));
  process.on("exit", () => rmSync(directory, { recursive: true, force: true }));
  const [folder, list] = [join(directory, "bundle"), join(directory, "inputs.json")];
  execFileSync(process.execPath, [program, folder, list], { stdio: ["ignore", "ignore", "inherit"] });
  return { folder, inputs: JSON.parse(readFileSync(list, "utf8")) as readonly string[] };
}

/** Returns the `Handler` of a function of this code. */
export function handlerOf(handler: HandlerName): string {
  return `index.${exportName(handler)}`;
}

/** Returns the code of every Lambda function: one asset, because the handlers share most of it. */
export function createCode(): Code {
  if (existsSync(prebuilt)) return Code.fromAsset(prebuilt);
  // The source is never read: the hash is that of the bundle.
  return Code.fromAsset(fileURLToPath(new URL(".", import.meta.url)), {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      image: Runtime.NODEJS_24_X.bundlingImage,
      local: {
        tryBundle(directory) {
          cpSync(bundleFunctions().folder, directory, { recursive: true });
          return true;
        },
      },
    },
  });
}
