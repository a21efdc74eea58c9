import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { buildCli } from "../../infra/bundles/build-cli.ts";
import { startEmbeddedCluster } from "../../infra/local/kubernetes/cluster.ts";

// Measures the CPU time of commands of the package and of the checkout, the start of Node.js included, as a ratio to `node -e 0`. The least of some
// runs.

const run = promisify(execFile);
const runs = Number(process.argv[2] ?? 9);
const folder = mkdtempSync(join(tmpdir(), "pawl-cli-start-"));
const cluster = await startEmbeddedCluster({ now: () => new Date(), objects: [] });
const kubeconfig = join(folder, "kubeconfig");
writeFileSync(kubeconfig, cluster.kubeconfig);
await buildCli(folder);

const programs = {
  package: join(folder, "cli", "pawl.mjs"),
  checkout: fileURLToPath(new URL("../../cli/pawl.js", import.meta.url)),
};
const commands: Readonly<Record<string, readonly string[]>> = {
  "pawl --version": ["--version"],
  "pawl status --help": ["status", "--help"],
  "pawl status (an empty cluster)": ["status", "--kubeconfig", kubeconfig],
};

/** Writes the CPU time at the exit of the process. */
const report = `process.on("exit", () => { const { user, system } = process.cpuUsage(); require("fs").writeSync(2, "\\ncpu " + (user + system)); });`;
const preload = join(folder, "report.cjs");
writeFileSync(preload, report);

async function measure(args: readonly string[]): Promise<number> {
  const env = { PATH: process.env["PATH"], NODE_COMPILE_CACHE: join(folder, "cache") };
  const { stderr } = await run(process.execPath, ["--require", preload, ...args], { env });
  return Number(/^cpu (\d+)$/m.exec(stderr)?.[1]) / 1000;
}

const base = "node -e 0";
const measured: readonly (readonly [name: string, args: readonly string[]])[] = [
  [base, ["-e", "0"]],
  ...Object.entries(programs).flatMap(([where, program]) =>
    Object.entries(commands).map(([name, args]) => [`${name}, ${where}`, [program, ...args]] as const),
  ),
];

try {
  const least = new Map<string, number>();
  for (let round = 0; round < runs; round += 1) {
    for (const [name, args] of measured) {
      least.set(name, Math.min(least.get(name) ?? Number.POSITIVE_INFINITY, await measure(args)));
    }
  }
  console.log("| command | CPU time | ratio |\n| --- | ---: | ---: |");
  for (const [name, ms] of least) {
    console.log(`| ${name} | ${ms.toFixed(0)} ms | ${(ms / (least.get(base) ?? 0)).toFixed(1)} |`);
  }
} finally {
  await cluster.close();
  rmSync(folder, { recursive: true });
}
