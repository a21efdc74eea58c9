import { type Command, Option } from "commander";
import { InvalidInput } from "../exit-codes.ts";

/** As of kubectl. "table" is the default. */
export type OutputFormat = "table" | "wide" | "json" | "yaml" | "name";

/** Reports whether people read the output. */
export function isTable(format: OutputFormat): boolean {
  return format === "table" || format === "wide";
}

export interface OutputOptions {
  readonly output?: Exclude<OutputFormat, "table">;
  readonly json?: true;
}

const formats = ["wide", "json", "yaml", "name"] as const satisfies readonly OutputFormat[];

/** Adds `-o`, and `--json`, which is short for `-o json`. `document` describes what json and yaml print. */
export function withOutputOptions(
  command: Command,
  document: string,
  choices: readonly (typeof formats)[number][] = formats,
): Command {
  return command
    .addOption(
      new Option("-o, --output <format>", `format of the output; json and yaml print ${document}`).choices(choices),
    )
    .addOption(new Option("--json", "the same as -o json").conflicts("output"));
}

export function formatOf({ output, json }: OutputOptions): OutputFormat {
  return json === true ? "json" : (output ?? "table");
}

/** Throws `InvalidInput` for a format that cannot be printed piece by piece. */
export function assertStream(format: OutputFormat): void {
  if (format === "yaml") throw new InvalidInput("--watch prints one document per line: use -o json");
}
