import { Command, Option } from "commander";
import { parseConstraint } from "../../functions/domain/version/constraint.ts";
import { type OnFailure, parseTagPattern, selectTag } from "../../functions/domain/version/select-tag.ts";
import { parseVersion } from "../../functions/domain/version/version.ts";
import { exitCodes, InvalidInput } from "../exit-codes.ts";
import { addItems, readLines, validOrThrow } from "../input/parse.ts";
import { printJson, printStderr, printStdout } from "../output/print.ts";

interface Options {
  readonly constraint: string;
  readonly current?: string;
  readonly failed: readonly string[];
  readonly pattern?: string;
  readonly onFailure: OnFailure;
  readonly json?: true;
}

export function resolveCommand(): Command {
  return new Command("resolve")
    .description(
      "Reads tags from stdin, one per line, and prints the highest version that satisfies the constraint, is newer than the " +
        "current one and has not failed, as the registry spells it. If there is none, stdout is empty, stderr has the reason, " +
        "and the exit code is 1.",
    )
    .requiredOption("-c, --constraint <constraint>", "version constraint in the grammar of Masterminds/semver")
    .option("--current <version>", "the running version; only newer ones are selected")
    .option("--failed <tags>", "tags that are never selected, separated by commas", addItems, [])
    .addOption(
      new Option("--on-failure <what>", "hold selects only what is newer than every tag of --failed")
        .choices(["hold", "tryOlder"])
        .default("tryOlder"),
    )
    .option("--pattern <regex>", "use only tags that match this regular expression")
    .option("--json", "print one JSON document: the tag, or null and the reason")
    .addHelpText(
      "after",
      '\nExample:\n  printf "1.0.0\\n1.2.0\\n2.0.0\\n" | pawl resolve --constraint ^1.0.0 --current 1.0.0',
    )
    .action(printSelectedTag);
}

async function printSelectedTag({
  constraint,
  current = "",
  failed,
  onFailure,
  pattern,
  json,
}: Options): Promise<void> {
  const criteria = {
    constraint: validOrThrow("--constraint", parseConstraint(constraint)),
    current: parseCurrentVersion(current),
    failed,
    onFailure,
    pattern: pattern === undefined ? null : validOrThrow("--pattern", parseTagPattern(pattern)),
  };
  const selection = selectTag({ tags: await readLines(process.stdin), ...criteria });
  const tag = selection.kind === "version" ? selection.tag : null;
  const reason = selection.kind === "version" ? null : selection.reason;
  if (json) printJson({ tag, reason });
  else if (tag !== null) printStdout(`${tag}\n`);
  if (reason === null) return;
  printStderr(reason);
  process.exitCode = exitCodes.noMatch;
}

/** Parses --current; scripts pass an empty text if nothing runs yet. */
function parseCurrentVersion(text: string): string | null {
  if (text === "") return null;
  if (parseVersion(text) === null) throw new InvalidInput(`--current: "${text}" is not a version; use the form 1.2.3`);
  return text;
}
