import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import manifest from "../../../package.json" with { type: "json" };
import { autoUpdate, type ClusterFixture, startClusterFixture } from "../cluster-fixture.ts";
import { runPawl } from "../run-pawl.ts";

// The commands are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

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
  expect(stderr).toContain("Allowed choices are bash, zsh, fish, kubectl");
});

describe("in kubectl, by the program that it looks for", () => {
  let fixture: ClusterFixture;
  beforeAll(async () => {
    const objects = [
      autoUpdate("Deployment", "web"),
      autoUpdate("StatefulSet", "web-db"),
      autoUpdate("Deployment", "cart"),
    ];
    fixture = await startClusterFixture({}, () => objects);
  });
  afterAll(() => fixture.close());

  test.for([
    { words: ["st"], offered: ["status"] },
    { words: ["status", "-o", "w"], offered: ["wide"] },
    { words: ["status", "--na"], offered: ["--namespace"] },
    { words: ["status", "-n", ""], offered: [] },
    { words: ["status", "shop/w"], offered: ["shop/web", "shop/web-db"] },
    { words: ["retry", "-n", "shop", "c"], offered: ["cart"] },
    { words: ["status", "web", "other/"], offered: [] },
    { words: ["plan", ""], offered: [] },
    { words: ["status", "--context", "none", ""], offered: [] },
    { words: ["unknown", ""], offered: [] },
  ])("$words: $offered", async ({ words, offered }) => {
    const { stdout, stderr, status } = await fixture.pawl("completion", "kubectl", "--", ...words);
    expect({ stdout, stderr, status }).toEqual({ stdout: [...offered, ":4", ""].join("\n"), stderr: "", status: 0 });
  });

  test("is a program of the package", () => {
    const path = new URL(`../../../${manifest.bin["kubectl_complete-pawl"]}`, import.meta.url);
    const env = { PATH: process.env["PATH"], KUBECONFIG: fixture.kubeconfig };
    expect(execFileSync(process.execPath, [path.pathname, "hist"], { encoding: "utf8", env })).toBe("history\n:4\n");
  });
});
