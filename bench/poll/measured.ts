import { type ChildProcess, spawn, type StdioOptions } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundled } from "./bundled.ts";
import type { Usage } from "./usage.ts";

export interface Launch {
  /** What Node is started with: the program and its arguments. */
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly stdio: StdioOptions;
}

export interface Measured extends Usage {
  /** From its start to its end. */
  readonly wholeSeconds: number;
}

/**
 * Runs a Node program to its end and says what it took, together with every Node process that it started: the sum of
 * their peaks, which is never too little. Throws where it fails.
 */
export async function measured(launch: Launch, watch: (child: ChildProcess) => void = () => {}): Promise<Measured> {
  const directory = await mkdtemp(join(tmpdir(), "pawl-bench-"));
  try {
    const began = performance.now();
    const child = spawn(process.execPath, launch.args, {
      ...launch,
      env: { ...environment(directory), ...launch.env },
    });
    watch(child);
    // Not "exit": what it has told may come after that.
    const [code] = (await once(child, "close")) as [number | null];
    const wholeSeconds = (performance.now() - began) / 1000;
    if (code !== 0) throw new Error(`${launch.args.join(" ")} ended with ${code}`);
    return { wholeSeconds, ...(await usedIn(directory)) };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

let usage: string | null = null;

/** Little of the caller's own, so that none of its settings changes what a contender does. */
function environment(directory: string) {
  const { PATH = "", HOME = "" } = process.env;
  const NODE_OPTIONS = `--import=${(usage ??= bundled("usage"))}`;
  return { PATH, HOME, NODE_OPTIONS, PAWL_BENCH_USAGE: directory };
}

async function usedIn(directory: string): Promise<Usage> {
  const files = await readdir(directory);
  const texts = await Promise.all(files.map((file) => readFile(join(directory, file), "utf8")));
  const usages = texts.map((text) => JSON.parse(text) as Usage);
  return {
    peakBytes: usages.reduce((sum, one) => sum + one.peakBytes, 0),
    cpuSeconds: usages.reduce((sum, one) => sum + one.cpuSeconds, 0),
  };
}
