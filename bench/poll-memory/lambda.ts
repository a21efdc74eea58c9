import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pollNodeOptions, pollProcess } from "../../infra/constructs/node-options.ts";
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
const { handler } = await import(process.argv[1]);
const endsAt = performance.now() + Number(process.argv[2]) * 1000;
const startedAt = performance.now();
const output = await handler(JSON.parse(process.argv[3]), { getRemainingTimeInMillis: () => endsAt - performance.now() });
const { userCPUTime, systemCPUTime } = process.resourceUsage();
const seconds = (performance.now() - startedAt) / 1000;
process.once("message", () => process.exit());
process.send({ output, seconds, cpuSeconds: (userCPUTime + systemCPUTime) / 1e6 });
`;

/** Invokes the deployed poll, bundled in `folder`, in a new process with the heap of a Lambda function of this size. */
export async function pollAsLambda(
  folder: string,
  environment: Readonly<Record<string, string>>,
  size: LambdaSize,
): Promise<PollInvocation> {
  const { output, ...rest } = await runAsLambda<PollReport>(
    folder,
    { cluster: "bench" },
    { ...environment, ...pollProcess },
    size,
    [pollNodeOptions],
  );
  return { report: output, ...rest };
}

/** Invokes a deployed function once, bundled in `folder`, in a new process with the heap of a Lambda function of this size. */
export async function runAsLambda<Output>(
  folder: string,
  event: object,
  environment: Readonly<Record<string, string>>,
  size: LambdaSize,
  nodeOptions: readonly string[] = [],
): Promise<Invocation<Output>> {
  const args = [join(folder, "index.mjs"), String(size.timeoutSeconds), JSON.stringify(event)];
  const script = ["--input-type=module", "--eval", program, ...args];
  const child = spawn(process.execPath, [...nodeOptions, heapOption(size), ...script], {
    env: { HOME: process.env["HOME"], ...environment },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ended = once(child, "exit");
  const [message] = (await Promise.race([once(child, "message"), ended.then(throwExit)])) as [
    Omit<Invocation<Output>, "peakBytes">,
  ];
  const peakBytes = readPeakBytes(child.pid);
  child.send("done");
  await ended;
  return { ...message, peakBytes };
}

function throwExit([code, signal]: unknown[]): never {
  throw new Error(`the function exited with ${String(code ?? signal)}`);
}

/** Returns the high-water mark of the process. Linux only: `maxRSS` of a child process starts at that of its parent. */
function readPeakBytes(pid: number | undefined): number {
  const kiB = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kiB) * 1024;
}
