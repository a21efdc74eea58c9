import { Command, CommanderError } from "commander";
import manifest from "../package.json" with { type: "json" };
import { exitCodes, exitCodeOf } from "./exit.ts";
import { oneLine } from "./output/one-line.ts";
import { say, sayFailure } from "./output/say.ts";

interface Verb {
  readonly summary: string;
  /** A verb's module is loaded only when it is asked for: most need no client of Kubernetes or AWS. */
  readonly load: () => Promise<Command>;
}

const verbs: Readonly<Record<string, Verb>> = {
  resolve: {
    summary: "choose the newest version among the tags on stdin",
    load: async () => (await import("./verbs/resolve.ts")).resolveCommand(),
  },
  schedule: {
    summary: "print when a schedule is due next",
    load: async () => (await import("./verbs/schedule.ts")).scheduleCommand(),
  },
  image: {
    summary: "take an image reference apart, and ask its registry",
    load: async () => (await import("./verbs/image.ts")).imageCommand(),
  },
  plan: {
    summary: "poll once and change nothing: what would be updated, and why not",
    load: async () => (await import("./verbs/plan.ts")).planCommand(),
  },
  analyze: {
    summary: "run the analysis of a canary once, against a Prometheus",
    load: async () => (await import("./verbs/analyze.ts")).analyzeCommand(),
  },
  status: {
    summary: "show every workload that has opted in",
    load: async () => (await import("./verbs/status.ts")).statusCommand(),
  },
  pools: {
    summary: "show every node pool, or the nodes of one",
    load: async () => (await import("./verbs/pools.ts")).poolsCommand(),
  },
  history: {
    summary: "show the updates of a workload",
    load: async () => (await import("./verbs/history.ts")).historyCommand(),
  },
  reset: {
    summary: "close a workload's circuit",
    load: async () => (await import("./verbs/reset.ts")).resetCommand(),
  },
  pause: {
    summary: "let no new update of a workload or node pool start",
    load: async () => (await import("./verbs/pause.ts")).pauseCommand(),
  },
  resume: {
    summary: "let updates of a paused workload or node pool start again",
    load: async () => (await import("./verbs/resume.ts")).resumeCommand(),
  },
  promote: {
    summary: "bring the canary of a workload to all replicas",
    load: async () => (await import("./verbs/promote.ts")).promoteCommand(),
  },
  abort: {
    summary: "take the canary of a workload back",
    load: async () => (await import("./verbs/abort.ts")).abortCommand(),
  },
  local: {
    summary: "run Pawl on this machine, without AWS",
    load: async () => (await import("./verbs/local.ts")).localCommand(),
  },
};

/** Runs the command and leaves its outcome in `process.exitCode`. Never throws: what goes wrong is one line on stderr. */
export async function run(args: readonly string[]): Promise<void> {
  try {
    const program = await buildProgram(args);
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? exitCodes.done : exitCodes.wrongInput;
      return;
    }
    sayFailure(error);
    process.exitCode = exitCodeOf(error);
  }
}

async function buildProgram(args: readonly string[]): Promise<Command> {
  const program = new Command("pawl")
    .description(manifest.description)
    .version(manifest.version)
    .exitOverride()
    .configureOutput({ outputError: (text) => say(oneLine(text.replace(/^error: /, ""))) })
    .addHelpText("after", "\nExit status: 0 done, 1 nothing or negative, 2 wrong input, 3 cannot reach.");
  const asked = askedVerb(args);
  for (const [name, { summary, load }] of Object.entries(verbs)) {
    const command = name === asked ? await load() : new Command(name);
    program.addCommand(command.summary(summary).copyInheritedSettings(program));
  }
  return program;
}

/** The verb that is run, or that `pawl help` is asked about. */
function askedVerb(args: readonly string[]): string | undefined {
  const [first, second] = args.filter((arg) => !arg.startsWith("-"));
  return first === "help" ? second : first;
}
