export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

/** A command as a shell completes it. */
export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly {
    /** `-n` and `--namespace`, or one of them. */
    readonly flags: readonly string[];
    readonly description: string;
    /** The values that it takes; empty if any. */
    readonly choices: readonly string[];
    readonly takesValue: boolean;
  }[];
  readonly takesWorkload: boolean;
}

/** Returns the script for a shell. */
export function completionScript(shell: Shell, commands: readonly CompletedCommand[]): string {
  const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };
  return scripts[shell](commands);
}

const flagsOf = ({ options }: CompletedCommand) => options.flatMap(({ flags }) => flags).join(" ");

/** The values of an option follow it as a word of their own: `-o json`. */
function valueCases({ options }: CompletedCommand, reply: (choices: string) => string): readonly string[] {
  return options
    .filter(({ choices }) => choices.length > 0)
    .map(({ flags, choices }) => `      ${flags.join("|")}) ${reply(choices.join(" "))}; return ;;\n`);
}

function bashScript(commands: readonly CompletedCommand[]): string {
  const reply = (words: string) => `COMPREPLY=($(compgen -W "${words}" -- "$current"))`;
  const cases = commands.map((command) => {
    const values = valueCases(command, reply);
    const ofOption = values.length === 0 ? "" : `      case $previous in\n${values.join("")}      esac\n`;
    return `    ${command.name})\n${ofOption}      ${reply(flagsOf(command))} ;;\n`;
  });
  return `_pawl() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]}
  if [ "$COMP_CWORD" = 1 ]; then ${reply(commands.map(({ name }) => name).join(" "))}; return; fi
  case \${COMP_WORDS[1]} in
${cases.join("")}  esac
}
complete -o default -F _pawl pawl
`;
}

function zshScript(commands: readonly CompletedCommand[]): string {
  const described = commands.map(({ name, summary }) => `    ${quote(`${name}:${summary}`)}\n`).join("");
  const cases = commands.map((command) => {
    const values = valueCases(command, (choices) => `compadd -- ${choices}`);
    const ofOption = values.length === 0 ? "" : `      case $words[CURRENT-1] in\n${values.join("")}      esac\n`;
    return `    ${command.name})\n${ofOption}      compadd -- ${flagsOf(command)}; _files ;;\n`;
  });
  return `#compdef pawl
_pawl() {
  local -a commands=(
${described}  )
  if (( CURRENT == 2 )); then _describe command commands; return; fi
  case $words[2] in
${cases.join("")}  esac
}
if [ "$funcstack[1]" = _pawl ]; then _pawl "$@"; else compdef _pawl pawl; fi
`;
}

function fishScript(commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap(({ name, summary, options }) => [
    `complete -c pawl -n __fish_use_subcommand -a ${name} -d ${quote(summary)}`,
    ...options.map(({ flags, description, choices }) => {
      const names = flags.map((flag) => (flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
      const values = choices.length === 0 ? "" : ` -x -a ${quote(choices.join(" "))}`;
      return `complete -c pawl -n '__fish_seen_subcommand_from ${name}' ${names.join(" ")}${values} -d ${quote(description)}`;
    }),
  ]);
  return `${lines.join("\n")}\n`;
}

function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", `'\\''`)}'`;
}
