import { Command, Option } from "commander";
import { isChannel } from "../../functions/domain/version/channel.ts";
import { parseConstraint } from "../../functions/domain/version/constraint.ts";
import { type OnFailure, selectTag } from "../../functions/domain/version/select-tag.ts";
import { parseTag } from "../../functions/domain/version/parse-tag.ts";
import { type Versioning, versionings } from "../../functions/domain/version/tag.ts";
import { parseTagPattern } from "../../functions/domain/version/tag-pattern.ts";
import { parseVariants } from "../../functions/domain/version/variants.ts";
import { exitCodes, InvalidInput } from "../exit-codes.ts";
import { addItems, readLines, validOrThrow } from "../input/parse.ts";
import { printJson, printStderr, printStdout } from "../output/print.ts";

interface Options {
  readonly constraint?: string;
  readonly current?: string;
  readonly versioning: Versioning;
  readonly variant?: string;
  readonly failed: readonly string[];
  readonly pattern?: string;
  readonly onFailure: OnFailure;
  readonly json?: true;
}

export function createCommand(): Command {
  return new Command("resolve")
    .description(
      "Reads tags from stdin, one per line, and prints the highest version that satisfies the constraint, is newer than the " +
        "current one and has not failed, as the registry spells it. If there is none, stdout is empty, stderr has the reason, " +
        "and the exit code is 1.",
    )
    .option(
      "-c, --constraint <constraint>",
      "version constraint in the grammar of Masterminds/semver (default: every version that is no pre-release)",
    )
    .option("--current <tag>", "the running tag; only newer ones of its variant are selected")
    .addOption(
      new Option("--versioning <scheme>", "how tags are read: with a variant, or as one version of semver")
        .choices(versionings)
        .default("container"),
    )
    .option("--variant <globs>", "variants to choose from, instead of the running one, separated by commas")
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
      "\nExamples:\n" +
        '  printf "1.0.0\\n1.2.0\\n2.0.0\\n" | pawl resolve --constraint ^1.0.0 --current 1.0.0\n' +
        '  printf "1.25.3-alpine\\n1.26.0-alpine\\n1.26.0\\n" | pawl resolve --current 1.25.3-alpine',
    )
    .action(printSelectedTag);
}

async function printSelectedTag(options: Options): Promise<void> {
  const { constraint = null, current = "", versioning, variant, failed, onFailure, pattern, json } = options;
  if (versioning === "semver" && variant !== undefined)
    throw new InvalidInput("--variant: a tag of versioning semver has no variant; remove one of them");
  const criteria = {
    versioning,
    constraint: validOrThrow("--constraint", parseConstraint(constraint, versioning)),
    current: parseCurrentVersion(current, versioning),
    variants: variant === undefined ? null : validOrThrow("--variant", parseVariants(variant)),
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
function parseCurrentVersion(text: string, versioning: Versioning): string | null {
  if (text === "" || (versioning === "container" && isChannel(text))) return null;
  if (parseTag(text, versioning) !== null) return text;
  if (versioning === "semver") throw new InvalidInput(`--current: "${text}" is not a version; use the form 1.2.3`);
  throw new InvalidInput(`--current: "${text}" has no order among versions; use a tag such as 1.2.3-alpine`);
}
