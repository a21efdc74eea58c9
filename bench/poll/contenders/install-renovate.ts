import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/**
 * Installs Renovate once, outside the checkout and without its optional native modules. Returns the path of its
 * program.
 */
export async function installRenovate(version: string): Promise<string> {
  const directory = join(homedir(), ".cache", "pawl", `renovate-${version}`);
  const home = join(directory, "node_modules", "renovate");
  if (!existsSync(join(home, "package.json"))) {
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, "package.json"), JSON.stringify({ private: true }));
    const args = ["install", "--no-audit", "--no-fund", "--omit=optional", `renovate@${version}`];
    await promisify(execFile)("npm", args, { cwd: directory });
  }
  const { bin } = JSON.parse(await readFile(join(home, "package.json"), "utf8")) as { bin: { renovate: string } };
  return join(home, bin.renovate);
}
