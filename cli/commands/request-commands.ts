import { Command } from "commander";
import { addItems } from "../input/parse.ts";
import { sendRequest, type RequestOptions, withRequestOptions } from "./request.ts";

/** What the options of these commands can set, beside those of every request. */
interface Options extends RequestOptions {
  readonly full?: true;
  readonly forgetFailed?: true;
  readonly all?: true;
}

interface RequestCommand {
  readonly description: string;
  /** After `pawl VERB shop/web`. */
  readonly examples: readonly string[];
  /** It starts an update, which is healthy in the end, or not. */
  readonly hasVerdict?: boolean;
  /** Its value is the argument of the request. */
  readonly argument?: readonly [name: string, description: string];
  readonly option?: readonly [flags: string, description: string, parse?: typeof addItems];
  readonly argumentOf?: (options: Options) => string | undefined;
}

/** The commands that only write a request, by the verb of it. */
const commands = {
  push: {
    hasVerdict: true,
    description:
      "Requests an update to a version: also to one that is older, has failed, or is outside the constraint, while the circuit is " +
      "open and when the schedule is not due. It is checked and rolled back like any update, and ends another one that is in " +
      "progress. After a version older than the last one, only newer versions than the last one are applied.",
    argument: ["<version>", "a tag of the tracked image, with @DIGEST beside --override"],
    option: [
      "--override <gate>",
      "also pass the gate approval or signature, with the right to it; may be repeated",
      addItems,
    ],
    examples: [" 1.4.2", " 1.4.2 --wait --timeout 1h", ' 1.4.2 --override approval --reason "incident 7"'],
  },
  promote: {
    description:
      "Requests that the canary in flight, which is paused, continues in its next check. With --full it is rolled out to all replicas, " +
      "paused or not, regardless of its analysis and its other steps. The exit code is 1 if no canary is in flight or, without --full, " +
      "if it is not paused.",
    option: ["--full", "update all replicas now"],
    argumentOf: ({ full }) => (full ? "full" : undefined),
    examples: ["", " --full"],
  },
  abort: {
    description:
      "Requests that the update in flight is rolled back, in its next check: a canary, a rollout, or one in its bake time. Its version is " +
      "not tried again and does not count towards the circuit. The exit code is 1 if no update is in flight.",
    examples: [""],
  },
  restart: {
    hasVerdict: true,
    description:
      "Requests that all pods of a workload are recreated with the image that runs, also while the circuit is open, updates are paused or " +
      "the schedule is not due. It is checked and recorded like an update. Pods of a workload with the update strategy OnDelete are " +
      "replaced one by one.",
    examples: [""],
  },
  retry: {
    hasVerdict: true,
    description:
      "Requests that a failed version, or every one, is tried again, and that an image which a person set is no longer held: " +
      "any newer version is applied. The circuit and the rollback count stay; pawl reset is for these.",
    argument: ["[version]", "a failed version (default: all)"],
    option: [
      "--all",
      "in all workloads of its repository in which it has failed: of its namespace, or of those of -n or -A",
    ],
    examples: ["", " 1.4.2", " 1.4.2 --all"],
  },
  reset: {
    description:
      "Requests that the circuit of a workload is closed and its rollback count set to 0, so that updates are tried again. Failed " +
      "versions stay excluded without --forget-failed; to try only these again, use pawl retry. The exit code is 1 if there is " +
      "nothing to reset.",
    option: ["--forget-failed", "also allow failed versions again"],
    argumentOf: ({ forgetFailed }) => (forgetFailed ? "failed" : undefined),
    examples: [" --forget-failed"],
  },
} satisfies Readonly<Record<string, RequestCommand>>;

/** Returns the command that writes a request with this verb, and waits for its answer. */
export function createCommand(verb: keyof typeof commands): Command {
  const { description, examples, argument, option, argumentOf, hasVerdict }: RequestCommand = commands[verb];
  const command = withRequestOptions(new Command(verb).description(description), hasVerdict === true);
  if (argument !== undefined) command.argument(...argument);
  const [flags = "", about, parse] = option ?? [];
  if (parse !== undefined) command.option(flags, about ?? "", parse);
  else if (option !== undefined) command.option(flags, about);
  const lines = examples.map((example) => `\n  pawl ${verb} shop/web${example}`);
  return command.addHelpText("after", `\nExample${lines.length > 1 ? "s" : ""}:${lines.join("")}`).action(async () => {
    const [workload = "", given] = command.args;
    const options = command.opts<Options>();
    await sendRequest(workload, { verb, argument: given ?? argumentOf?.(options) ?? null }, options, {
      hasVerdict: hasVerdict === true,
      isForAll: options.all === true,
    });
  });
}
