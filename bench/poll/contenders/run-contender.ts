import { pollNodeOptions, pollProcess } from "../../../infra/constructs/functions/node-options.ts";
import { bundleProgram } from "../bundle-program.ts";
import { type Measurement, measureProcess } from "../measure-process.ts";
import type { Job, LookupResult } from "./job.ts";

const programs = new Map<string, string>();

/** Runs Pawl or the bare loop in a new process. */
export async function runContender(name: "pawl" | "bare-loop", job: Job): Promise<Measurement & LookupResult> {
  let result: LookupResult | undefined;
  const program = programs.get(name) ?? bundleProgram(`contenders/${name}`);
  programs.set(name, program);
  const launch = {
    args: [pollNodeOptions, program, JSON.stringify(job)],
    env: pollProcess,
    stdio: ["ignore", "inherit", "inherit", "ipc"] as const,
  };
  const used = await measureProcess({ ...launch, stdio: [...launch.stdio] }, (child) => {
    child.on("message", (message) => void (result = message as LookupResult));
  });
  if (result === undefined) throw new Error(`${name}: no result`);
  return { ...used, ...result };
}
