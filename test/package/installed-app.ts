import { execFile } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
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

/** Where a package manager puts what: pnpm lets the app see only what it asked for, and a package only what its manifest names. */
export type Layout = "npm" | "pnpm";

/** Writes the package of the checkout into a folder, and returns the path of the archive. */
export async function pack(folder: string): Promise<string> {
  await run(process.execPath, ["infra/bundles/write-package.ts"]);
  const { stdout } = await run("npm", ["pack", "./dist", "--json", "--pack-destination", folder]);
  const [packed] = Object.values(JSON.parse(stdout) as Readonly<Record<string, { readonly filename: string }>>);
  return join(folder, packed?.filename ?? "");
}

/**
 * Installs the package into an empty folder. Its dependencies are links to those of the checkout: there may be no network. What the
 * manifest does not name is not there.
 */
export async function install(archive: string, layout: Layout): Promise<InstalledApp> {
  const folder = mkdtempSync(join(tmpdir(), "pawl-installed-"));
  const modules = join(folder, "node_modules");
  const store = layout === "npm" ? modules : join(modules, ".pnpm", "pawl", "node_modules");
  const installed = join(store, "pawl");
  mkdirSync(installed, { recursive: true });
  await run("tar", ["-xzf", archive, "--strip-components=1", "-C", installed]);
  const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8")) as Manifest;
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }))
    link(resolve("node_modules", name), join(store, name));
  if (layout === "pnpm") {
    link(installed, join(modules, "pawl"));
    for (const name of Object.keys(manifest.peerDependencies)) link(resolve("node_modules", name), join(modules, name));
  }
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
  write("package.json", JSON.stringify({ private: true }));
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

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
}

/** Returns the bytes of the package and of all that it depends on, without its peers. */
export function installedBytes({ package: installed, manifest }: InstalledApp): number {
  const folders = new Set([installed]);
  const add = (names: object, from: string): void => {
    for (const name of Object.keys(names)) {
      const nested = join(from, "node_modules", name);
      const folder = existsSync(nested) ? nested : resolve("node_modules", name);
      if (folders.has(folder)) continue;
      folders.add(folder);
      const { dependencies = {} } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Partial<Manifest>;
      add(dependencies, folder);
    }
  };
  add(manifest.dependencies, installed);
  return [...folders].reduce((sum, folder) => sum + bytesOf(folder), 0);
}

function bytesOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return files.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
}
