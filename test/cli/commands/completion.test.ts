import { execFileSync } from "node:child_process";
import { beforeAll, describe, expect, test } from "vitest";
import { runPawl } from "../run-pawl.ts";

describe("in bash", () => {
  let script: string;
  beforeAll(async () => {
    ({ stdout: script } = await runPawl(["completion", "bash"]));
  });

  /** Returns what bash offers for the last of these words. */
  function complete(...words: readonly string[]): readonly string[] {
    const quoted = words.map((word) => `'${word}'`).join(" ");
    const call = `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _pawl; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const output = execFileSync("bash", ["--norc", "-c", `${script}\n${call}`], { encoding: "utf8" });
    return output.split("\n").filter((line) => line !== "");
  }

  test.for([
    { words: ["pawl", "st"], offered: ["status"] },
    { words: ["pawl", "status", "--na"], offered: ["--namespace"] },
    { words: ["pawl", "status", "-o", ""], offered: ["wide", "json", "yaml", "name"] },
    { words: ["pawl", "status", "--output", "y"], offered: ["yaml"] },
    { words: ["pawl", "push", "--no-w"], offered: ["--no-wait"] },
    { words: ["pawl", "unknown", "--"], offered: [] },
  ])("$words: $offered", ({ words, offered }) => {
    expect(complete(...words)).toEqual(offered);
  });
});

test.for([
  { shell: "zsh", first: "#compdef pawl", line: "compadd -- wide json yaml name" },
  {
    shell: "fish",
    first: "complete -c pawl -n __fish_use_subcommand",
    line: "complete -c pawl -n '__fish_seen_subcommand_from status' -s w -l watch -d 'then print",
  },
])("the script of $shell has commands, options and values", async ({ shell, first, line }) => {
  const { stdout, status } = await runPawl(["completion", shell]);
  expect(status).toBe(0);
  expect(stdout.startsWith(first)).toBe(true);
  expect(stdout).toContain(line);
});

test("another shell is refused", async () => {
  const { stderr, status } = await runPawl(["completion", "tcsh"]);
  expect(status).toBe(2);
  expect(stderr).toContain("Allowed choices are bash, zsh, fish");
});
