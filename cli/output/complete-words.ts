import type { CompletedCommand } from "./completion-script.ts";

interface Sources {
  readonly commands: readonly CompletedCommand[];
  /** Lists the workloads as `namespace/name`, with the options of the connection that were written so far. */
  readonly workloads: (options: ReadonlyMap<string, string>) => Promise<readonly string[]>;
}

const aliases: Readonly<Record<string, string>> = { "-n": "--namespace" };
const connection = new Set(["--context", "--kubeconfig", "--namespace"]);

/** Returns what completes the last of the words after `kubectl pawl`: commands, options, their values, and names of workloads. */
export async function completeWords(
  words: readonly string[],
  { commands, workloads }: Sources,
): Promise<readonly string[]> {
  const [first = "", ...rest] = words;
  const current = words.at(-1) ?? "";
  const starting = (offered: readonly string[]) => offered.filter((one) => one.startsWith(current));
  if (rest.length === 0) return starting(commands.map(({ name }) => name));
  const command = commands.find(({ name }) => name === first);
  if (command === undefined) return [];
  const optionOf = (flag: string | undefined) => command.options.find(({ flags }) => flags.includes(flag ?? ""));
  const previous = optionOf(words.at(-2));
  if (previous !== undefined && previous.choices.length > 0) return starting(previous.choices);
  if (previous?.takesValue === true) return [];
  if (current.startsWith("-")) return starting(command.options.flatMap(({ flags }) => flags));
  if (!command.takesWorkload) return [];
  const options = new Map(
    rest.flatMap((word, index) => {
      const name = aliases[word] ?? word;
      return connection.has(name) ? [[name, rest[index + 1] ?? ""] as const] : [];
    }),
  );
  const namespace = options.get("--namespace");
  const found = await workloads(options);
  const own = found.flatMap((name) => (name.startsWith(`${namespace}/`) ? [name.slice(name.indexOf("/") + 1)] : []));
  return starting(namespace === undefined ? found : own);
}
