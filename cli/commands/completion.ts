import { Argument, Command } from "commander";
import { type CompletedCommand, type Shell, shells, completionScript } from "../output/completion-script.ts";
import { printStdout } from "../output/print.ts";

/** `loadAll` returns every command with its options. */
export function completionCommand(loadAll: () => Promise<readonly Command[]>): Command {
  return new Command("completion")
    .description("Prints a script that completes commands and options in your shell.")
    .addArgument(new Argument("<shell>", "your shell").choices(shells))
    .addHelpText(
      "after",
      "\nExamples:\n  source <(pawl completion bash)\n  pawl completion zsh > ~/.zfunc/_pawl\n  pawl completion fish > ~/.config/fish/completions/pawl.fish",
    )
    .action(async (shell: Shell) => printStdout(completionScript(shell, (await loadAll()).map(toCompleted))));
}

function toCompleted(command: Command): CompletedCommand {
  return {
    name: command.name(),
    summary: command.summary(),
    options: command.options.map(({ short, long, description, argChoices }) => ({
      flags: [short, long].filter((flag) => flag !== undefined && flag !== null),
      description,
      choices: argChoices ?? [],
    })),
  };
}
