import type { ChildProcess } from "node:child_process";
import { functionSpecs } from "../../infra/constructs/functions/function-specs.ts";
import { pollNodeOptions, pollProcess } from "../../infra/constructs/functions/node-options.ts";
import { bundleProgram } from "../poll/bundle-program.ts";
import { type Measurement, measureProcess } from "../poll/measure-process.ts";
import { heapOption } from "../poll-memory/lambda.ts";
import type { Job, Result } from "./poller.ts";

let program: string | null = null;

/** Long enough that timers of the poll are not late by more than they would be on Lambda. */
const sliceMs = 20;

/** Polls in a new process with the heap of the deployed function and half a CPU. Throws if the heap is exceeded. */
export async function runPoll(job: Job): Promise<Measurement & Result> {
  let result: Result | undefined;
  program ??= bundleProgram("../tenants/poller");
  const args = [pollNodeOptions, heapOption(functionSpecs.poll), program, JSON.stringify(job)];
  const launch = { args, env: pollProcess, stdio: ["ignore", "inherit", "inherit", "ipc"] as const };
  const used = await measureProcess({ ...launch, stdio: [...launch.stdio] }, (child) => {
    halve(child);
    child.on("message", (message) => void (result = message as Result));
  });
  if (result === undefined) throw new Error("the poll ended without a result");
  return { ...used, ...result };
}

/** Stops a process half of the time, as Lambda does. */
function halve(child: ChildProcess): void {
  let isRunning = true;
  const timer = setInterval(() => {
    isRunning = !isRunning;
    child.kill(isRunning ? "SIGCONT" : "SIGSTOP");
  }, sliceMs);
  child.on("exit", () => clearInterval(timer));
}
