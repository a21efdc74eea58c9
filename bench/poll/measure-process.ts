import { type ChildProcess, spawn, type StdioOptions } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleProgram } from "./bundle-program.ts";
import type { Usage } from "./usage.ts";

export interface Launch {
  /** Arguments of Node.js: the program and its arguments. */
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly stdio: StdioOptions;
}

export interface Measurement extends Usage {
  /** From the start of the process to its end. */
  readonly wholeSeconds: number;
}

/**
 * Runs a Node.js program and measures it and every Node.js process that it starts. Their peaks are added, which is an
 * upper bound. Throws if the program fails.
 */
export async function measureProcess(
  launch: Launch,
  watch: (child: ChildProcess) => void = () => {},
): Promise<Measurement> {
  const directory = await mkdtemp(join(tmpdir(), "pawl-bench-"));
  try {
    const startedAt = performance.now();
    const child = spawn(process.execPath, launch.args, {
      ...launch,
      env: { ...environment(directory), ...launch.env },
    });
    watch(child);
    // Not "exit": messages of the process may arrive after it.
    const [code] = (await once(child, "close")) as [number | null];
    const wholeSeconds = (performance.now() - startedAt) / 1000;
    if (code !== 0) throw new Error(`${launch.args.join(" ")} exited with ${code}`);
    return { wholeSeconds, ...(await sumUsage(directory)) };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

let usageProgram: string | null = null;

/** Passes few of the caller's variables, so that none of them influences a contender. */
function environment(directory: string) {
  const { PATH = "", HOME = "" } = process.env;
  const NODE_OPTIONS = `--import=${(usageProgram ??= bundleProgram("usage"))}`;
  return { PATH, HOME, NODE_OPTIONS, PAWL_BENCH_USAGE: directory };
}

async function sumUsage(directory: string): Promise<Usage> {
  const files = await readdir(directory);
  const texts = await Promise.all(files.map((file) => readFile(join(directory, file), "utf8")));
  const usages = texts.map((text) => JSON.parse(text) as Usage);
  return {
    peakBytes: usages.reduce((sum, one) => sum + one.peakBytes, 0),
    cpuSeconds: usages.reduce((sum, one) => sum + one.cpuSeconds, 0),
  };
}
