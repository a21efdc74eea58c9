import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./document.ts";

/** A command as a page prints it. */
export interface DocumentedCommand {
  readonly page: string;
  /** `pawl`, or another program. */
  readonly program: string;
  readonly args: readonly string[];
  /** Whether it is part of a sentence, which may name a command without its arguments. */
  readonly isMention: boolean;
}

/** Returns the commands of a page: those of its shell and console blocks, of its indented blocks, and in its text. */
export function commandsOf(page: string): readonly DocumentedCommand[] {
  const text = readFileSync(join(root, page), "utf8");
  const shell = [...text.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = ""]) => block);
  const consoles = [...text.matchAll(/^```console\n(.*?)^```/gms)].map(([, block = ""]) =>
    block.replace(/^(?!\$ ).*\n/gm, "").replace(/^\$ /gm, ""),
  );
  const indented = [...text.matchAll(/^ {4}((?:npx|npm|pawl|kubectl) .*(?:\\\n.*)*)/gm)].map(([, line = ""]) => line);
  const outside = text.replace(/^```.*?^```/gms, "");
  const spans = [
    ...outside.matchAll(/`((?:npx --no-install |kubectl )?pawl [^`]+|kubectl (?:apply|delete) [^`]+|npm [^`]+)`/g),
  ].map(([, span = ""]) => span);
  const read = (scripts: readonly string[], isMention: boolean) =>
    scripts.flatMap(splitCommands).map((words) => ({ page, ...toCommand(words), isMention }));
  return [...read([...shell, ...consoles, ...indented], false), ...read(spans, true)];
}

/** Returns the commands of a script. */
export function commandsIn(script: string): readonly Pick<DocumentedCommand, "program" | "args">[] {
  return splitCommands(script).map(toCommand);
}

function toCommand(words: readonly string[]): Pick<DocumentedCommand, "program" | "args"> {
  const [, prefix = ""] = /^(npx --no-install |kubectl )pawl( |$)/.exec(words.join(" ")) ?? [];
  const before = prefix.split(" ").length - 1;
  return { program: words[before] ?? "", args: words.slice(before + 1) };
}

/** Splits a script into commands and their words. Knows quotes, comments, continued lines, pipes, lists and `<(…)`. */
function splitCommands(script: string): readonly (readonly string[])[] {
  const commands: string[][] = [[]];
  const token = /\\\n|[ \t]+|#[^\n]*|&&|\|\||[|;&\n()]|<\(|((?:'[^']*'|"[^"]*"|\\.|[^\s'"|;&()#\\]|(?<=\S)#)+)/gy;
  for (const [text, word] of script.matchAll(token)) {
    if (word !== undefined) commands.at(-1)?.push(word.replaceAll(/'([^']*)'|"([^"]*)"/g, "$1$2"));
    else if (!/^(\\\n|[ \t]+|#.*)$/.test(text)) commands.push([]);
  }
  return commands.map((words) => untilRedirection(words)).filter(({ length }) => length > 0);
}

/** Omits `> file` and what follows it. */
function untilRedirection(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => /^\d?[<>]/.test(word));
  return at === -1 ? words : words.slice(0, at);
}
