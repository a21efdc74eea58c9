import { Command, CommanderError } from "commander";
import manifest from "../package.json" with { type: "json" };
import { exitCodes, exitCodeOf } from "./exit-codes.ts";
import { printError, printStderr } from "./output/print.ts";

interface CommandEntry {
  readonly summary: string;
  /** Loads the command's module: most need no client of Kubernetes or AWS. */
  readonly load: () => Promise<Command>;
}

const commands: Readonly<Record<string, CommandEntry>> = {
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
  plan: {
    summary: "poll once without changing anything: what would be updated, and why not",
    load: async () => (await import("./commands/plan.ts")).planCommand(),
  },
  analyze: {
    summary: "run a canary analysis against Prometheus or CloudWatch",
    load: async () => (await import("./commands/analyze.ts")).analyzeCommand(),
  },
  status: {
    summary: "show every workload with Pawl enabled",
    load: async () => (await import("./commands/status.ts")).statusCommand(),
  },
  pools: {
    summary: "show every node pool, or the nodes of one",
    load: async () => (await import("./commands/pools.ts")).poolsCommand(),
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
  rollback: {
    summary: "roll a workload back to an earlier release",
    load: async () => (await import("./commands/rollback.ts")).rollbackCommand(),
  },
  reset: {
    summary: "close a workload's circuit",
    load: async () => (await import("./commands/reset.ts")).resetCommand(),
  },
  pause: {
    summary: "stop new updates of a workload or node pool",
    load: async () => (await import("./commands/pause.ts")).pauseCommand(),
  },
  resume: {
    summary: "allow updates of a paused workload or node pool again",
    load: async () => (await import("./commands/resume.ts")).resumeCommand(),
  },
  promote: {
    summary: "continue a paused canary, or roll it out to all replicas",
    load: async () => (await import("./commands/promote.ts")).promoteCommand(),
  },
  abort: {
    summary: "roll the canary of a workload back",
    load: async () => (await import("./commands/abort.ts")).abortCommand(),
  },
  push: {
    summary: "update a workload to a version",
    load: async () => (await import("./commands/push.ts")).pushCommand(),
  },
  restart: {
    summary: "restart the pods of a workload, with a health check",
    load: async () => (await import("./commands/restart.ts")).restartCommand(),
  },
  retry: {
    summary: "try failed versions of a workload again",
    load: async () => (await import("./commands/retry.ts")).retryCommand(),
  },
  local: {
    summary: "run Pawl on this machine, without AWS",
    load: async () => (await import("./commands/local.ts")).localCommand(),
  },
};

/** Runs the command and sets `process.exitCode`. Never throws: an error is one line on stderr. */
export async function run(args: readonly string[]): Promise<void> {
  try {
    const program = await buildProgram(args);
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? exitCodes.ok : exitCodes.invalidInput;
      return;
    }
    printError(error);
    process.exitCode = exitCodeOf(error);
  }
}

async function buildProgram(args: readonly string[]): Promise<Command> {
  const program = new Command("pawl")
    .description(manifest.description)
    .version(manifest.version)
    .exitOverride()
    .configureOutput({ outputError: (text) => printStderr(text.replace(/^error: /, "")) })
    .addHelpText(
      "after",
      "\nExit codes: 0 done, 1 no match / negative result, 2 invalid input, 3 unreachable, 70 internal error.",
    );
  const requested = requestedCommand(args);
  for (const [name, { summary, load }] of Object.entries(commands)) {
    const command = name === requested ? await load() : new Command(name);
    program.addCommand(command.summary(summary).copyInheritedSettings(program));
  }
  return program;
}

/** Returns the command to run, or the one that `pawl help` is to describe. */
function requestedCommand(args: readonly string[]): string | undefined {
  const [first, second] = args.filter((arg) => !arg.startsWith("-"));
  return first === "help" ? second : first;
}
