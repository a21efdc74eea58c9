import { Command } from "commander";
import { parseConstraint } from "../../functions/domain/constraint.ts";
import { parseTagPattern, resolve } from "../../functions/domain/resolve.ts";
import { parseVersion } from "../../functions/domain/version.ts";
import { exitCodes, WrongInput } from "../exit.ts";
import { addItems } from "../input/items.ts";
import { readLines } from "../input/read-lines.ts";
import { valid } from "../input/valid.ts";
import { printJson } from "../output/json.ts";
import { say } from "../output/say.ts";

interface Options {
  readonly constraint: string;
  readonly current?: string;
  readonly failed: readonly string[];
  readonly pattern?: string;
  readonly json?: true;
}

export function resolveCommand(): Command {
  return new Command("resolve")
    .description(
      "Reads tags from stdin, one a line, and prints the highest version that is within the constraint, newer than " +
        "the current one and has not failed, as the registry spells it. Where there is none, stdout stays empty, " +
        "stderr says why, and the status is 1.",
    )
    .requiredOption("-c, --constraint <constraint>", "version constraint in the grammar of Masterminds/semver")
    .option("--current <version>", "what runs now; nothing that is not newer is chosen")
    .option("--failed <tags>", "tags that are never chosen, with commas between", addItems, [])
    .option("--pattern <regex>", "look only at tags that match this regular expression")
    .option("--json", "print one JSON document: the tag, or null and the reason")
    .addHelpText(
      "after",
      '\nExample:\n  printf "1.0.0\\n1.2.0\\n2.0.0\\n" | pawl resolve --constraint ^1.0.0 --current 1.0.0',
    )
    .action(chooseTag);
}

async function chooseTag({ constraint, current = "", failed, pattern, json }: Options): Promise<void> {
  const criteria = {
    constraint: valid("--constraint", parseConstraint(constraint)),
    current: versionOrNone(current),
    failed,
    pattern: pattern === undefined ? null : valid("--pattern", parseTagPattern(pattern)),
  };
  const found = resolve({ tags: await readLines(process.stdin), ...criteria });
  const tag = found.kind === "version" ? found.tag : null;
  const reason = found.kind === "none" ? found.reason : null;
  if (json) printJson({ tag, reason });
  else if (tag !== null) process.stdout.write(`${tag}\n`);
  if (reason === null) return;
  say(reason);
  process.exitCode = exitCodes.nothing;
}

/** Empty is what a script passes while nothing runs yet. */
function versionOrNone(text: string): string | null {
  if (text === "") return null;
  if (parseVersion(text) === null) throw new WrongInput(`--current: "${text}" is not a version: write it as 1.2.3`);
  return text;
}
