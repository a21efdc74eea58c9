import { Command, InvalidArgumentError } from "commander";
import type { TagList } from "./images.ts";

export interface Options extends TagList {
  /** Milliseconds between a request and its response. */
  readonly latency: number;
  /** Tags per page. */
  readonly page: number;
  /** Runs of each contender; null means 3, and 1 of Renovate. */
  readonly repeat: number | null;
  /** The version; false to omit it. */
  readonly renovate: string | false;
  readonly markdown: boolean;
}

// Newer versions may not run on the Node.js version of the project.
const renovateVersion = "44.121.2";

export function readOptions(argv: readonly string[]): Options {
  return new Command("run.ts")
    .description("Compares Pawl, Renovate and a bare loop: the same look-ups in the same registry.")
    .option("--images <count>", "repositories, each of one workload", parseMin(1), 1000)
    .option("--tags <count>", "tags per repository", parseMin(4), 200)
    .option("--latency <ms>", "latency of the registry", parseMin(0), 10)
    .option("--page <count>", "tags per page", parseMin(1), 100)
    .option("--repeat <count>", "runs of each contender (default: 3, and 1 of Renovate)", parseMin(1), null)
    .option("--renovate <version>", "version to install into ~/.cache/pawl", renovateVersion)
    .option("--no-renovate", "omit Renovate")
    .option("--markdown", "print the table as Markdown", false)
    .parse([...argv], { from: "user" })
    .opts<Options>();
}

function parseMin(min: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (Number.isInteger(value) && value >= min) return value;
    throw new InvalidArgumentError(`use an integer of at least ${min}.`);
  };
}
