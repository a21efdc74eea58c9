import { Command, InvalidArgumentError } from "commander";

export interface Options {
  /** Number of nodes of each pool. */
  readonly nodes: readonly number[];
  readonly markdown: boolean;
}

export function readOptions(argv: readonly string[]): Options {
  return new Command("run.ts")
    .description("Measures the cost of a node pool rollout and compares it with the formula.")
    .option("--nodes <counts>", "nodes of each pool, comma-separated", parseCounts, [10, 100, 1000])
    .option("--markdown", "print the tables as Markdown", false)
    .parse([...argv], { from: "user" })
    .opts<Options>();
}

function parseCounts(text: string): readonly number[] {
  const values = text.split(",").map(Number);
  if (values.every((value) => Number.isInteger(value) && value > 0)) return values;
  throw new InvalidArgumentError("use positive integers, for example 10,100.");
}
