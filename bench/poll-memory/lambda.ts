import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bundleFunctions } from "../../infra/constructs/functions/bundling.ts";
import { exportName, type HandlerName } from "../../infra/constructs/functions/function-specs.ts";
import { pollNodeOptions, pollProcess } from "../../infra/constructs/functions/node-options.ts";
import type { PollReport } from "../../functions/workflows/poll/report.ts";

/** Output and resource usage of one invocation. */
export interface Invocation<Output> {
  readonly output: Output;
  /** Duration of the handler, without the start of the process. */
  readonly seconds: number;
  /** CPU time of the process, with its start. */
  readonly cpuSeconds: number;
  readonly peakBytes: number;
}

export interface PollInvocation extends Omit<Invocation<PollReport>, "output"> {
  readonly report: PollReport;
}

interface LambdaSize {
  readonly memoryMegabytes: number;
  readonly timeoutSeconds: number;
}

/** As in a Lambda function: 90 % of its memory for the old space of the heap. */
export function heapOption({ memoryMegabytes }: LambdaSize): string {
  return `--max-old-space-size=${Math.floor(memoryMegabytes * 0.9)}`;
}

const program = `
const { [process.argv[4]]: handler } = await import(process.argv[1]);
const endsAt = performance.now() + Number(process.argv[2]) * 1000;
const startedAt = performance.now();
const context = { getRemainingTimeInMillis: () => endsAt - performance.now() };
const ended = await handler(JSON.parse(process.argv[3]), context).then(
  (output) => ({ output }),
  ({ name, message }) => ({ error: { name, message } }),
);
const { userCPUTime, systemCPUTime } = process.resourceUsage();
const seconds = (performance.now() - startedAt) / 1000;
process.once("message", () => process.exit());
process.send({ ...ended, seconds, cpuSeconds: (userCPUTime + systemCPUTime) / 1e6 });
`;

/** Invokes the deployed poll in a new process with the heap of a Lambda function of this size. */
export async function pollAsLambda(
  environment: Readonly<Record<string, string>>,
  size: LambdaSize,
): Promise<PollInvocation> {
  const { output, ...rest } = await runAsLambda<PollReport>("poll", { cluster: "bench" }, asPoll(environment, size));
  return { report: output, ...rest };
}

/** Returns the options for a function that polls. */
export function asPoll(environment: Readonly<Record<string, string>>, size: LambdaSize): LambdaOptions {
  return { environment: { ...environment, ...pollProcess }, size, nodeOptions: [pollNodeOptions] };
}

export interface LambdaOptions {
  readonly environment: Readonly<Record<string, string>>;
  readonly size: LambdaSize;
  readonly nodeOptions?: readonly string[];
  /** The folder of the bundle; one that is built now by default. */
  readonly folder?: string;
  /** Receives the process, which may be killed. */
  readonly onSpawn?: (child: ChildProcess) => void;
}

/** The process of a function ended without a result. */
export class ExitError extends Error {
  override readonly name = "Runtime.ExitError";
}

/**
 * Invokes a deployed function once, in a new process with the heap of a Lambda function of this size. Throws what the function throws,
 * by name, and `ExitError` if the process ends before.
 */
export async function runAsLambda<Output>(
  handler: HandlerName,
  event: object,
  { environment, size, nodeOptions = [], folder = bundleFunctions().folder, onSpawn }: LambdaOptions,
): Promise<Invocation<Output>> {
  const file = join(folder, "index.mjs");
  const args = [file, String(size.timeoutSeconds), JSON.stringify(event), exportName(handler)];
  const script = ["--input-type=module", "--eval", program, ...args];
  const child = spawn(process.execPath, [...nodeOptions, heapOption(size), ...script], {
    env: { HOME: process.env["HOME"], ...environment },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  onSpawn?.(child);
  const ended = once(child, "exit");
  const [message] = (await Promise.race([once(child, "message"), ended.then(throwExit)])) as [
    Omit<Invocation<Output>, "peakBytes"> & { readonly error?: { readonly name: string; readonly message: string } },
  ];
  const peakBytes = readPeakBytes(child.pid);
  child.send("done");
  await ended;
  if (message.error !== undefined) throw Object.assign(new Error(message.error.message), { name: message.error.name });
  return { ...message, peakBytes };
}

function throwExit([code, signal]: unknown[]): never {
  throw new ExitError(`the function exited with ${String(code ?? signal)}`);
}

/** Returns the high-water mark of the process. Linux only: `maxRSS` of a child process starts at that of its parent. */
function readPeakBytes(pid: number | undefined): number {
  const kiB = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kiB) * 1024;
}
