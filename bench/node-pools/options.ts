import { Command, InvalidArgumentError } from "commander";
import { defaultSizes, type Size, sizeOf } from "./scenario.ts";

export interface Options {
  readonly pools: readonly Size[];
  readonly markdown: boolean;
}

export function readOptions(argv: readonly string[]): Options {
  return new Command("run.ts")
    .description("Measures the cost of a node pool rollout and compares it with the formula.")
    .option("--pools <sizes>", "nodes and maxUnavailable of each pool, such as 10:10%,30:1", parseSizes, defaultSizes)
    .option("--markdown", "print the tables as Markdown", false)
    .parse([...argv], { from: "user" })
    .opts<Options>();
}

function parseSizes(text: string): readonly Size[] {
  return text.split(",").map((size) => {
    const [whole, nodes, maxUnavailable = ""] = /^([1-9]\d*):([1-9]\d*%?)$/.exec(size) ?? [];
    if (whole === undefined) throw new InvalidArgumentError("use nodes:maxUnavailable, for example 10:10%,30:1.");
    return sizeOf(Number(nodes), maxUnavailable.endsWith("%") ? maxUnavailable : Number(maxUnavailable));
  });
}
