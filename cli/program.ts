import { Command, CommanderError } from "commander";
import manifest from "../package.json" with { type: "json" };
import { describeFailure } from "./connect/describe-failure.ts";
import { exitCodes, exitCodeOf } from "./exit-codes.ts";
import { printError, printStderr } from "./output/print.ts";

interface CommandModule {
  createCommand(name: string, loadAll: () => Promise<readonly Command[]>): Command;
}

/** A module is loaded if its command is named: most need no client of Kubernetes or AWS. */
type CommandEntry = readonly [summary: string, load: () => Promise<CommandModule>];

const requests = () => import("./commands/request-commands.ts");

/** By their heading in the help. */
const groups: Readonly<Record<string, Readonly<Record<string, CommandEntry>>>> = {
  "Show:": {
    status: ["show every workload with Pawl enabled", () => import("./commands/status.ts")],
    explain: [
      "explain why a workload runs what it runs, and what the next poll does",
      () => import("./commands/explain.ts"),
    ],
    plan: [
      "poll once without changing anything: what would be updated, and why not",
      () => import("./commands/plan.ts"),
    ],
    history: ["show the updates of a workload", () => import("./commands/history.ts")],
    releases: ["show the releases of a workload", () => import("./commands/releases.ts")],
    diff: ["show the difference between two releases of a workload", () => import("./commands/diff.ts")],
    pools: ["show every node pool, or the nodes of one", () => import("./commands/pools.ts")],
    dashboard: ["show all workloads in a live web page", () => import("./commands/dashboard.ts")],
    "team-page": ["serve that page for a team, with a login", () => import("./commands/team-page.ts")],
  },
  "Change:": {
    pause: ["stop new updates of a workload or node pool", () => import("./commands/pause.ts")],
    resume: ["allow updates of a paused workload or node pool again", () => import("./commands/pause.ts")],
    freeze: ["start no update in the cluster until the freeze ends or is lifted", () => import("./commands/freeze.ts")],
    unfreeze: ["lift every freeze that is active", () => import("./commands/freeze.ts")],
    approve: ["approve a version that waits for it", () => import("./commands/approve.ts")],
    reject: ["reject a version: it is not applied", () => import("./commands/approve.ts")],
    push: ["update a workload to a version", requests],
    promote: ["continue a paused canary, or roll it out to all replicas", requests],
    abort: ["roll back the update of a workload, at any time before its end", requests],
    rollback: ["roll a workload back to an earlier release", () => import("./commands/rollback.ts")],
    restart: ["restart the pods of a workload, with a health check", requests],
    retry: ["try failed versions of a workload again", requests],
    reset: ["close a workload's circuit", requests],
  },
  "Set up:": {
    init: ["write the configuration of a deployment", () => import("./commands/init.ts")],
    template: [
      "write CloudFormation templates, for a deployment without the CDK",
      () => import("./commands/template.ts"),
    ],
    doctor: ["check a deployment and its cluster", () => import("./commands/doctor.ts")],
    upgrade: [
      "compare a deployment and its cluster with this version, and print the steps of an upgrade",
      () => import("./commands/upgrade.ts"),
    ],
    "prune-versions": [
      "delete versions of functions and state machines that nothing uses",
      () => import("./commands/prune-versions.ts"),
    ],
    local: ["run Pawl on this machine, without AWS", () => import("./commands/local.ts")],
  },
  "Try a setting:": {
    resolve: ["select a version from the tags on stdin", () => import("./commands/resolve.ts")],
    schedule: ["print the next times of a schedule", () => import("./commands/schedule.ts")],
    image: ["print the parts of an image reference, and what its registry says", () => import("./commands/image.ts")],
    verify: ["verify who signed an image", () => import("./commands/verify.ts")],
    analyze: ["run a canary analysis against Prometheus or CloudWatch", () => import("./commands/analyze.ts")],
  },
  "Other:": {
    completion: [
      "print a script that completes commands and options in a shell",
      () => import("./commands/completion.ts"),
    ],
  },
};

/** Loads every command but the one that asks for them. */
async function loadAll(): Promise<readonly Command[]> {
  const others = Object.values(groups)
    .flatMap((group) => Object.entries(group))
    .filter(([name]) => name !== "completion");
  return Promise.all(
    others.map(async ([name, [summary, load]]) => (await load()).createCommand(name, loadAll).summary(summary)),
  );
}

/** Runs the command and sets `process.exitCode`. Never throws: an error is one line on stderr. */
export async function run(args: readonly string[]): Promise<void> {
  let command: Command | undefined;
  try {
    const program = await buildProgram(args);
    command = program.commands.find((one) => one.name() === requestedCommand(args));
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? exitCodes.ok : exitCodes.invalidInput;
      return;
    }
    printError(error, await describeFailure(error, command));
    process.exitCode = exitCodeOf(error);
  }
}

/** Builds the command line, with the options of the command that the arguments name. */
export async function buildProgram(args: readonly string[]): Promise<Command> {
  const requested = requestedCommand(args);
  const isCommand = Object.values(groups).some((group) => Object.keys(group).includes(String(requested)));
  const hint = `; see: pawl ${isCommand ? `${requested} ` : ""}--help`;
  const program = new Command("pawl")
    .description(manifest.description)
    .version(manifest.version)
    .commandsGroup("Other:")
    .helpCommand("help [command]", "display help for a command")
    .exitOverride()
    .configureOutput({ outputError: (text) => printStderr(`${text.trim().replace(/^error: |\.$/g, "")}${hint}`) })
    .addHelpText(
      "after",
      "\nExamples:\n  pawl status\n  pawl explain shop/web\n  pawl plan -n shop\n\nExit codes: 0 done, 1 no match / negative result, 2 invalid input, 3 unreachable, 70 internal error.",
    );
  for (const [heading, group] of Object.entries(groups)) {
    for (const [name, [summary, load]] of Object.entries(group)) {
      const command = name === requested ? (await load()).createCommand(name, loadAll) : new Command(name);
      program.addCommand(command.summary(summary).helpGroup(heading).copyInheritedSettings(program));
    }
  }
  return program;
}

/** Returns the command to run, or the one that `pawl help` is to describe. */
function requestedCommand(args: readonly string[]): string | undefined {
  const [first, second] = args.filter((arg) => !arg.startsWith("-"));
  return first === "help" ? second : first;
}
