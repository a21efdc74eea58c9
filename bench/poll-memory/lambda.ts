import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pollNodeOptions } from "../../infra/constructs/node-options.ts";
import type { PollReport } from "../../functions/polling/report.ts";

/** What a function answered, and what that took. */
export interface Invoked<Answer> {
  readonly answer: Answer;
  /** From the event to the answer; the start of the process is not in it. */
  readonly seconds: number;
  /** Of processor time, the start of the process included. */
  readonly cpuSeconds: number;
  readonly peakBytes: number;
}

export interface Polled extends Omit<Invoked<PollReport>, "answer"> {
  readonly report: PollReport;
}

interface LambdaSize {
  readonly memoryMegabytes: number;
  readonly timeoutSeconds: number;
}

/** As the function is deployed, with nine tenths of its memory for what is old. */
function heapOf({ memoryMegabytes }: LambdaSize): string {
  return `--max-old-space-size=${Math.floor(memoryMegabytes * 0.9)}`;
}

const program = `
const { handler } = await import(process.argv[1]);
const endsAt = performance.now() + Number(process.argv[2]) * 1000;
const began = performance.now();
const answer = await handler(JSON.parse(process.argv[3]), { getRemainingTimeInMillis: () => endsAt - performance.now() });
const { userCPUTime, systemCPUTime } = process.resourceUsage();
const seconds = (performance.now() - began) / 1000;
process.once("message", () => process.exit());
process.send({ answer, seconds, cpuSeconds: (userCPUTime + systemCPUTime) / 1e6 });
`;

/** Runs the poll as it is deployed, its bundle in `folder`, in a fresh process with the heap of a Lambda of this size. */
export async function pollAsLambda(
  folder: string,
  environment: Readonly<Record<string, string>>,
  size: LambdaSize,
): Promise<Polled> {
  const { answer, ...rest } = await runAsLambda<PollReport>(folder, { cluster: "bench" }, environment, size, [
    pollNodeOptions,
  ]);
  return { report: answer, ...rest };
}

/** Invokes a function once as it is deployed, its bundle in `folder`, in a fresh process with the heap of a Lambda of this size. */
export async function runAsLambda<Answer>(
  folder: string,
  event: object,
  environment: Readonly<Record<string, string>>,
  size: LambdaSize,
  nodeOptions: readonly string[] = [],
): Promise<Invoked<Answer>> {
  const about = [join(folder, "index.mjs"), String(size.timeoutSeconds), JSON.stringify(event)];
  const script = ["--input-type=module", "--eval", program, ...about];
  const child = spawn(process.execPath, [...nodeOptions, heapOf(size), ...script], {
    env: { HOME: process.env["HOME"], ...environment },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ended = once(child, "exit");
  const [message] = (await Promise.race([once(child, "message"), ended.then(failed)])) as [
    Omit<Invoked<Answer>, "peakBytes">,
  ];
  const peakBytes = peakOf(child.pid);
  child.send("done");
  await ended;
  return { ...message, peakBytes };
}

function failed([code, signal]: unknown[]): never {
  throw new Error(`the function ended with ${String(code ?? signal)}`);
}

/** What the process held of memory at most. Linux only: `maxRSS` would begin with what this process holds. */
function peakOf(pid: number | undefined): number {
  const kiB = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kiB) * 1024;
}
