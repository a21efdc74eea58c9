import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { buildProgram } from "../../cli/program.ts";
import { joinKind, parseWorkloadName } from "../../cli/workloads/name.ts";
import { filesOf } from "../infra/cluster/manifests.ts";
import { commandsOf, type DocumentedCommand } from "./commands.ts";
import { documents, root } from "./document.ts";

const pages = documents.filter((page) => page !== "CHANGELOG.md");
const all = pages.flatMap(commandsOf);
const ofProgram = (program: string) => all.filter((command) => command.program === program);
const { scripts, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly scripts: Record<string, string>;
  readonly version: string;
};

/** Parses a command as `pawl` does, and does nothing. Throws what the parser does. */
async function parsePawl(args: readonly string[]): Promise<void> {
  const program = (await buildProgram(args)).configureOutput({ writeErr: () => undefined, writeOut: () => undefined });
  const isHelp = args.length === 0 || args.some((arg) => arg === "--help" || arg === "--version");
  for (const command of program.commands) {
    command.configureOutput({ writeErr: () => undefined, outputError: () => undefined });
    command.action((...given: unknown[]) => assertNames(command.name(), given[0]));
  }
  await program.parseAsync(args, { from: "user" }).catch((error: Error) => {
    if (!isHelp) throw error;
  });
}

const takesWorkloads = new Set(
  "status explain history releases diff rollback pause resume reset push restart retry promote abort".split(" "),
);

function assertNames(command: string, argument: unknown): void {
  if (!takesWorkloads.has(command) || argument === undefined) return;
  for (const name of joinKind((Array.isArray(argument) ? argument : [argument]) as readonly string[])) {
    const readings = parseWorkloadName(name);
    if ("kind" in readings) throw new Error(`${name} ${readings.reason}`);
  }
}

const show = ({ page, program, args }: DocumentedCommand) => `${page}: ${program} ${args.join(" ")}`;

describe("commands of the documentation", () => {
  test("there are many", () => {
    expect(ofProgram("pawl").length).toBeGreaterThan(80);
    expect(ofProgram("kubectl").length).toBeGreaterThan(40);
  });

  test("every pawl command parses", async () => {
    const invalid: string[] = [];
    const isIncomplete = (error: Error) => /argument '.*'$|argument missing$/.test(error.message);
    // A usage such as `pawl push WORKLOAD [VERSION]` is no command.
    for (const command of ofProgram("pawl").filter(({ args }) => !/[[\]…<]/.test(args.join(" "))))
      await parsePawl(command.args).catch((error: Error) => {
        if (!command.isMention || !isIncomplete(error)) invalid.push(`${show(command)}: ${error.message}`);
      });
    expect(invalid).toEqual([]);
  });

  test("npx installs nothing to run pawl, which the registry may have of somebody else", () => {
    expect(
      ofProgram("npx")
        .filter(({ args }) => args.includes("pawl"))
        .map(show),
    ).toEqual([]);
    expect(pages.filter((page) => readFileSync(join(root, page), "utf8").includes("npx pawl"))).toEqual([]);
  });

  test("every kustomization exists, and so do all its files", () => {
    const folders = ofProgram("kubectl").flatMap((command) => {
      const folder = command.args[command.args.indexOf("-k") + 1];
      return command.args.includes("-k") && folder !== undefined ? [{ command, folder }] : [];
    });
    expect(folders.length).toBeGreaterThan(15);
    const missing = folders.filter(({ folder }) => {
      const remote = `https://github.com/OWNER/pawl//infra/cluster?ref=v${version}`;
      const path = join(root, folder.replace(remote, "infra/cluster").replace(/^node_modules\/pawl\//, ""));
      return !existsSync(join(path, "kustomization.yaml")) || !filesOf(path).every((file) => existsSync(file));
    });
    expect(missing.map(({ command }) => show(command))).toEqual([]);
  });

  test("every script of npm exists", () => {
    const missing = ofProgram("npm").filter(({ args: [verb = "", name = ""] }) => {
      if (["ci", "install", "pack", "audit"].includes(verb)) return false;
      return scripts[verb === "run" ? name : verb] === undefined;
    });
    expect(missing.map(show)).toEqual([]);
  });

  test("every file that a command of Node.js or Vitest names exists", () => {
    const files = all
      .filter(({ program }) => program === "npx" || program === "node")
      .flatMap((command) => command.args.map((file) => ({ command, file })))
      .filter(({ file }) => /^[a-z].*\/.*\.ts$/.test(file));
    expect(files.filter(({ file }) => !existsSync(join(root, file))).map(({ command }) => show(command))).toEqual([]);
  });
});
