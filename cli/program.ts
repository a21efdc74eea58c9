import { Command, CommanderError } from "commander";
import manifest from "../package.json" with { type: "json" };
import { describeFailure } from "./connect/describe-failure.ts";
import { exitCodes, exitCodeOf } from "./exit-codes.ts";
import { printError, printStderr } from "./output/print.ts";

interface CommandEntry {
  readonly summary: string;
  /** Loads the command's module: most need no client of Kubernetes or AWS. */
  readonly load: () => Promise<Command>;
}

/** By their heading in the help. */
const groups: Readonly<Record<string, Readonly<Record<string, CommandEntry>>>> = {
  "Show:": {
    status: {
      summary: "show every workload with Pawl enabled",
      load: async () => (await import("./commands/status.ts")).statusCommand(),
    },
    explain: {
      summary: "explain why a workload runs what it runs, and what the next poll does",
      load: async () => (await import("./commands/explain.ts")).explainCommand(),
    },
    plan: {
      summary: "poll once without changing anything: what would be updated, and why not",
      load: async () => (await import("./commands/plan.ts")).planCommand(),
    },
    history: {
      summary: "show the updates of a workload",
      load: async () => (await import("./commands/history.ts")).historyCommand(),
    },
    releases: {
      summary: "show the releases of a workload",
      load: async () => (await import("./commands/releases.ts")).releasesCommand(),
    },
    diff: {
      summary: "show the difference between two releases of a workload",
      load: async () => (await import("./commands/diff.ts")).diffCommand(),
    },
    pools: {
      summary: "show every node pool, or the nodes of one",
      load: async () => (await import("./commands/pools.ts")).poolsCommand(),
    },
    dashboard: {
      summary: "show all workloads in a live web page",
      load: async () => (await import("./commands/dashboard.ts")).dashboardCommand(),
    },
    "team-page": {
      summary: "serve that page for a team, with a login",
      load: async () => (await import("./commands/team-page.ts")).teamPageCommand(),
    },
  },
  "Change:": {
    pause: {
      summary: "stop new updates of a workload or node pool",
      load: async () => (await import("./commands/pause.ts")).pauseCommand(),
    },
    resume: {
      summary: "allow updates of a paused workload or node pool again",
      load: async () => (await import("./commands/pause.ts")).resumeCommand(),
    },
    freeze: {
      summary: "start no update in the cluster until the freeze ends or is lifted",
      load: async () => (await import("./commands/freeze.ts")).freezeCommand(),
    },
    unfreeze: {
      summary: "lift every freeze that is active",
      load: async () => (await import("./commands/freeze.ts")).unfreezeCommand(),
    },
    approve: {
      summary: "approve a version that waits for it",
      load: async () => (await import("./commands/approve.ts")).approveCommand(),
    },
    reject: {
      summary: "reject a version: it is not applied",
      load: async () => (await import("./commands/approve.ts")).rejectCommand(),
    },
    push: {
      summary: "update a workload to a version",
      load: async () => (await import("./commands/request-commands.ts")).requestCommand("push"),
    },
    promote: {
      summary: "continue a paused canary, or roll it out to all replicas",
      load: async () => (await import("./commands/request-commands.ts")).requestCommand("promote"),
    },
    abort: {
      summary: "roll back the update of a workload, at any time before its end",
      load: async () => (await import("./commands/request-commands.ts")).requestCommand("abort"),
    },
    rollback: {
      summary: "roll a workload back to an earlier release",
      load: async () => (await import("./commands/rollback.ts")).rollbackCommand(),
    },
    restart: {
      summary: "restart the pods of a workload, with a health check",
      load: async () => (await import("./commands/request-commands.ts")).requestCommand("restart"),
    },
    retry: {
      summary: "try failed versions of a workload again",
      load: async () => (await import("./commands/request-commands.ts")).requestCommand("retry"),
    },
    reset: {
      summary: "close a workload's circuit",
      load: async () => (await import("./commands/request-commands.ts")).requestCommand("reset"),
    },
  },
  "Set up:": {
    init: {
      summary: "write the configuration of a deployment",
      load: async () => (await import("./commands/init.ts")).initCommand(),
    },
    template: {
      summary: "write CloudFormation templates, for a deployment without the CDK",
      load: async () => (await import("./commands/template.ts")).templateCommand(),
    },
    doctor: {
      summary: "check a deployment and its cluster",
      load: async () => (await import("./commands/doctor.ts")).doctorCommand(),
    },
    upgrade: {
      summary: "compare a deployment and its cluster with this version, and print the steps of an upgrade",
      load: async () => (await import("./commands/upgrade.ts")).upgradeCommand(),
    },
    "prune-versions": {
      summary: "delete versions of functions and state machines that nothing uses",
      load: async () => (await import("./commands/prune-versions.ts")).pruneVersionsCommand(),
    },
    local: {
      summary: "run Pawl on this machine, without AWS",
      load: async () => (await import("./commands/local.ts")).localCommand(),
    },
  },
  "Try a setting:": {
    resolve: {
      summary: "select a version from the tags on stdin",
      load: async () => (await import("./commands/resolve.ts")).resolveCommand(),
    },
    schedule: {
      summary: "print the next times of a schedule",
      load: async () => (await import("./commands/schedule.ts")).scheduleCommand(),
    },
    image: {
      summary: "print the parts of an image reference, and what its registry says",
      load: async () => (await import("./commands/image.ts")).imageCommand(),
    },
    verify: {
      summary: "verify who signed an image",
      load: async () => (await import("./commands/verify.ts")).verifyCommand(),
    },
    analyze: {
      summary: "run a canary analysis against Prometheus or CloudWatch",
      load: async () => (await import("./commands/analyze.ts")).analyzeCommand(),
    },
  },
  "Other:": {
    completion: {
      summary: "print a script that completes commands and options in a shell",
      load: async () => (await import("./commands/completion.ts")).completionCommand(loadAll),
    },
  },
};

/** Loads every command but the one that asks for them. */
async function loadAll(): Promise<readonly Command[]> {
  const others = Object.values(groups)
    .flatMap((group) => Object.entries(group))
    .filter(([name]) => name !== "completion");
  return Promise.all(others.map(async ([, { summary, load }]) => (await load()).summary(summary)));
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
    for (const [name, { summary, load }] of Object.entries(group)) {
      const command = name === requested ? await load() : new Command(name);
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
