import { Command, InvalidArgumentError } from "commander";

export interface Options {
  /** Of each pool. */
  readonly nodes: readonly number[];
  readonly markdown: boolean;
}

export function readOptions(argv: readonly string[]): Options {
  return new Command("run.ts")
    .description("What a rollout of a node pool costs, on paper and counted.")
    .option("--nodes <counts>", "of each pool, separated by commas", counts, [10, 100, 1000])
    .option("--markdown", "prints the tables as Markdown", false)
    .parse([...argv], { from: "user" })
    .opts<Options>();
}

function counts(text: string): readonly number[] {
  const values = text.split(",").map(Number);
  if (values.every((value) => Number.isInteger(value) && value > 0)) return values;
  throw new InvalidArgumentError("write whole numbers from 1 on, such as 10,100.");
}
