import { Command, InvalidArgumentError } from "commander";
import type { Shelf } from "./images.ts";

export interface Options extends Shelf {
  /** Milliseconds between a request and its answer. */
  readonly latency: number;
  /** Tags a page. */
  readonly page: number;
  /** Runs of each contender; null is 3, and 1 of Renovate. */
  readonly repeat: number | null;
  /** The version; false leaves it out. */
  readonly renovate: string | false;
  readonly markdown: boolean;
}

// Newer ones may not run on the Node that the project brings.
const renovateVersion = "44.121.2";

export function readOptions(argv: readonly string[]): Options {
  return new Command("run.ts")
    .description("One registry, one piece of work, three contenders: Pawl, Renovate and a bare loop.")
    .option("--images <count>", "repositories, each named by one workload", atLeast(1), 1000)
    .option("--tags <count>", "tags of each", atLeast(4), 200)
    .option("--latency <ms>", "before each answer", atLeast(0), 10)
    .option("--page <count>", "tags a page", atLeast(1), 100)
    .option("--repeat <count>", "runs of each contender (default: 3, and 1 of Renovate)", atLeast(1), null)
    .option("--renovate <version>", "installed into ~/.cache/pawl", renovateVersion)
    .option("--no-renovate", "leaves Renovate out")
    .option("--markdown", "prints the table as Markdown", false)
    .parse([...argv], { from: "user" })
    .opts<Options>();
}

function atLeast(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (Number.isInteger(value) && value >= least) return value;
    throw new InvalidArgumentError(`write a whole number from ${least} on.`);
  };
}
