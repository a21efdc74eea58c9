import { Command, InvalidArgumentError } from "commander";

export interface Options {
  readonly seed: number;
  /** How long things are pushed, edited and broken; what follows takes a few minutes more. */
  readonly minutes: number;
  readonly workloads: number;
  /** A folder for the output of every Pawl process, and for the recording. */
  readonly log?: string;
}

export function readOptions(argv: readonly string[]): Options {
  return new Command("run.ts")
    .description(
      "Breaks a cluster, a registry and Pawl at random, and checks what was recorded against the invariants.",
    )
    .option("--seed <number>", "of all random choices (default: the time)", parseMin(0), Date.now() % 1_000_000)
    .option("--minutes <number>", "duration of the disturbances", parseMin(0.1), 30)
    .option("--workloads <count>", "Deployments, StatefulSets and DaemonSets in equal parts", parseMin(1), 30)
    .option("--log <folder>", "keep the output of every Pawl process, and the recording")
    .parse([...argv], { from: "user" })
    .opts<Options>();
}

function parseMin(min: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (value >= min) return value;
    throw new InvalidArgumentError(`use a number of at least ${min}.`);
  };
}
