import { functionSpecs } from "../../infra/constructs/functions/function-specs.ts";
import { pollNodeOptions, pollProcess } from "../../infra/constructs/functions/node-options.ts";
import { bundleProgram } from "../poll/bundle-program.ts";
import { type Measurement, measureProcess } from "../poll/measure-process.ts";
import { heapOption } from "../poll-memory/lambda.ts";
import type { Job, Result } from "./job.ts";

let program: string | null = null;

/** Polls in a new process with the heap of the deployed function. Throws if that is exceeded. */
export async function runPoll(job: Job): Promise<Measurement & Result> {
  let result: Result | undefined;
  program ??= bundleProgram("../hostile-hosts/poller");
  const args = [pollNodeOptions, heapOption(functionSpecs.poll), program, JSON.stringify(job)];
  const used = await measureProcess(
    { args, env: pollProcess, stdio: ["ignore", "inherit", "inherit", "ipc"] },
    (child) => {
      child.on("message", (message) => void (result = message as Result));
    },
  );
  if (result === undefined) throw new Error("the poll ended without a result");
  return { ...used, ...result };
}
