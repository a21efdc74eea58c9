import type { OutputFormat } from "../options/output.ts";
import { printJson, printStdout } from "./print.ts";

interface Rendered {
  /** What json and yaml print. */
  readonly document: unknown;
  /** `deployment/shop/web`, one for each row. */
  readonly names: readonly string[];
  /** Called for a table. `isWide`: every column is printed. */
  readonly table: (isWide: boolean) => string;
}

/** Prints what a command found, in the format of its option `-o`. An empty table prints nothing. */
export async function printAs(format: OutputFormat, { document, names, table }: Rendered): Promise<void> {
  if (format === "json") return printJson(document);
  if (format === "name") return printStdout(names.map((name) => `${name}\n`).join(""));
  if (format === "yaml") {
    const { stringify } = await import("yaml");
    return printStdout(stringify(document));
  }
  if (names.length > 0) printStdout(table(format === "wide"));
}
