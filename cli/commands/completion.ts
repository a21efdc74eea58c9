import { Argument, Command } from "commander";
import { completeWords } from "../output/complete-words.ts";
import { type CompletedCommand, type Shell, shells, completionScript } from "../output/completion-script.ts";
import { printStdout } from "../output/print.ts";
import { workloadArgument } from "../workloads/name.ts";

/** Tells the shell to offer no files: `ShellCompDirectiveNoFileComp` of cobra, which kubectl reads. */
const noFiles = ":4";

/** `loadAll` returns every command with its options. */
export function createCommand(name: string, loadAll: () => Promise<readonly Command[]>): Command {
  return new Command(name)
    .description(
      "Prints a script that completes commands and options in your shell. The completion of kubectl itself also completes names of workloads, by " +
        "the program kubectl_complete-pawl of the package, which runs this command for the words that are written.",
    )
    .addArgument(new Argument("<shell>", "your shell").choices([...shells, "kubectl"]))
    .argument("[words...]", "with kubectl: what is written after `kubectl pawl`")
    .addHelpText(
      "after",
      "\nExamples:\n  source <(pawl completion bash)\n  pawl completion zsh > ~/.zfunc/_pawl\n  pawl completion fish > ~/.config/fish/completions/pawl.fish\n  pawl completion kubectl -- status sh",
    )
    .action(async (shell: Shell | "kubectl", words: readonly string[]) => {
      const commands = (await loadAll()).map(toCompleted);
      if (shell !== "kubectl") return printStdout(completionScript(shell, commands));
      const offered = await completeWords(words, { commands, workloads: listNames });
      printStdout([...offered, noFiles, ""].join("\n"));
    });
}

/** Lists the targets of AutoUpdates, which one request reads; none if the cluster does not answer. */
async function listNames(options: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const { readAutoUpdates } = await import("../connect/auto-updates.ts");
  const [kubeconfig = "", context = ""] = [options.get("--kubeconfig"), options.get("--context")];
  const namespace = options.get("--namespace");
  const found = await readAutoUpdates({ kubeconfig, context }, namespace === undefined ? null : [namespace]).catch(
    () => null,
  );
  const names = (found ?? []).map(({ metadata, spec }) => `${metadata.namespace}/${spec.targetRef.name}`);
  return [...new Set(names)].toSorted();
}

function toCompleted(command: Command): CompletedCommand {
  return {
    name: command.name(),
    summary: command.summary(),
    options: command.options.map(({ short, long, description, argChoices, required, optional }) => ({
      flags: [short, long].filter((flag) => flag !== undefined && flag !== null),
      description,
      choices: argChoices ?? [],
      takesValue: required || optional,
    })),
    takesWorkload: command.registeredArguments.some(({ description }) => description.includes(workloadArgument)),
  };
}
