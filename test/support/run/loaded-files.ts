import { readFileSync, readdirSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Returns the files of `folder` that V8 reports as loaded into the processes with `coverage` as their NODE_V8_COVERAGE. */
export function readLoadedFiles(coverage: string, folder: string): readonly string[] {
  const reports = readdirSync(coverage).map((file) => readFileSync(`${coverage}/${file}`, "utf8"));
  const urls = reports.flatMap((report) =>
    (JSON.parse(report) as { readonly result: readonly { readonly url: string }[] }).result.map(({ url }) => url),
  );
  const files = urls.filter((url) => url.startsWith("file:")).map((url) => fileURLToPath(url));
  return [...new Set(files.filter((file) => file.startsWith(folder)))];
}

export function totalBytes(files: readonly string[]): number {
  return files.map((file) => statSync(file).size).reduce((one, other) => one + other, 0);
}
