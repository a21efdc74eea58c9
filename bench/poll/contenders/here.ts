import { pollNodeOptions } from "../../../infra/constructs/node-options.ts";
import { bundled } from "../bundled.ts";
import { type Measured, measured } from "../measured.ts";
import type { Job, Told } from "./job.ts";

const programs = new Map<string, string>();

/** Runs one of the bench's own contenders in a fresh process. */
export async function runHere(name: "pawl" | "bare-loop", job: Job): Promise<Measured & Told> {
  let told: Told | undefined;
  const program = programs.get(name) ?? bundled(`contenders/${name}`);
  programs.set(name, program);
  const launch = {
    args: [pollNodeOptions, program, JSON.stringify(job)],
    stdio: ["ignore", "inherit", "inherit", "ipc"] as const,
  };
  const used = await measured({ ...launch, stdio: [...launch.stdio] }, (child) => {
    child.on("message", (message) => void (told = message as Told));
  });
  if (told === undefined) throw new Error(`${name} told nothing`);
  return { ...used, ...told };
}
