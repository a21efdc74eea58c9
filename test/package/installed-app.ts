import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

export interface Manifest {
  readonly bin: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

/** A folder in which only the package is installed, with what its manifest names. */
export interface InstalledApp {
  readonly folder: string;
  readonly manifest: Manifest;
  /** The path of the installed package. */
  readonly package: string;
  /** Writes a file of the app. */
  write(file: string, text: string): void;
  /** Runs Node.js in the folder. */
  node(args: readonly string[], environment?: Readonly<Record<string, string>>): Promise<{ readonly stdout: string }>;
  remove(): void;
}

/**
 * Packs the checkout with `npm pack`, and installs the package into an empty folder. Its dependencies are links to those of the checkout:
 * there may be no network. What the manifest does not name is not there.
 */
export async function installPackage(): Promise<InstalledApp> {
  const folder = mkdtempSync(join(tmpdir(), "pawl-installed-"));
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", folder]);
  const [packed] = Object.values(JSON.parse(stdout) as Readonly<Record<string, { readonly filename: string }>>);
  const installed = join(folder, "node_modules", "pawl");
  mkdirSync(installed, { recursive: true });
  await run("tar", ["-xzf", join(folder, packed?.filename ?? ""), "--strip-components=1", "-C", installed]);
  const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8")) as Manifest;
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })) {
    const link = join(folder, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(resolve("node_modules", name), link);
  }
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
  write("package.json", JSON.stringify({ type: "module", private: true }));
  return {
    folder,
    manifest,
    package: installed,
    write,
    node: (args, environment = {}) =>
      run(process.execPath, args, { cwd: folder, env: { PATH: process.env["PATH"], ...environment } }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
