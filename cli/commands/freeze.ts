import { Command } from "commander";
import type { FreezeStore } from "../../functions/adapters/kubernetes/freeze-store.ts";
import type { Freeze } from "../../functions/domain/gates/freeze.ts";
import { formatRfc3339 } from "../../functions/domain/text/rfc3339.ts";
import { loadKubeConfig } from "../connect/kube-config.ts";
import { exitCodes } from "../exit-codes.ts";
import { addFreeze, liftFreezes, type WrittenFreeze } from "../freeze/edit-freezes.ts";
import { addItems } from "../input/parse.ts";
import { type ContextOptions, withContextOptions } from "../options/cluster.ts";
import { printJson, printStdout } from "../output/print.ts";

/** Of `by`: a longer name would make the ConfigMap invalid. */
const maxNameLength = 128;

interface Options extends ContextOptions {
  readonly pawlNamespace: string;
  readonly json?: true;
}

interface FreezeOptions extends Options {
  readonly until?: string;
  readonly only?: readonly string[];
  readonly rollBack?: true;
}

export function createCommand(name: "freeze" | "unfreeze"): Command {
  return name === "freeze" ? freezeCommand() : unfreezeCommand();
}

function freezeCommand(): Command {
  const command = new Command("freeze").description(
    "Freezes updates: from now on no update starts in the cluster, or in some namespaces, until the freeze ends or is lifted. What is in " +
      "progress continues, without --roll-back. It writes the ConfigMap pawl-freeze, so that no deployment of Pawl undoes it. The reason is shown at every " +
      "workload that waits.",
  );
  return withFreezeOptions(command.argument("<reason...>", "why, for everybody who waits"))
    .option("--until <time>", "the end: 2026-12-27T08:00:00Z, or 2026-12-27 in UTC (default: until pawl unfreeze)")
    .option("--roll-back", "revert updates of an image that are in progress, without blame (default: they continue)")
    .option("--only <namespace>", "freeze only this namespace; may be repeated (default: all)", addItems)
    .addHelpText(
      "after",
      "\nExamples:\n  pawl freeze incident 7\n  pawl freeze Christmas --until 2026-12-27 --only shop",
    )
    .action((words: readonly string[], options: FreezeOptions) => freeze(words.join(" "), options));
}

function unfreezeCommand(): Command {
  const command = new Command("unfreeze").description(
    "Lifts every freeze that is active: it removes them from the ConfigMap pawl-freeze. Those that begin later remain. The exit code is 1 " +
      "if none is active.",
  );
  return withFreezeOptions(command).addHelpText("after", "\nExample:\n  pawl unfreeze").action(unfreeze);
}

function withFreezeOptions(command: Command): Command {
  return withContextOptions(command)
    .option(
      "--pawl-namespace <namespace>",
      "where the ConfigMap is: the first namespace of a deployment that is restricted to some",
      "kube-system",
    )
    .option("--json", "print one JSON document");
}

async function freeze(reason: string, options: FreezeOptions): Promise<void> {
  const { until, only, rollBack } = options;
  const store = await openStore(options);
  const [before, user] = [await store.read(), (await store.whoAmI()).slice(0, maxNameLength).trim()];
  const written: WrittenFreeze = {
    from: formatRfc3339(before.now),
    ...(until === undefined ? {} : { to: until }),
    reason,
    ...(user === "" ? {} : { by: user }),
    ...(rollBack === undefined ? {} : { rollBack }),
    ...(only === undefined ? {} : { namespaces: only }),
  };
  await store.write(addFreeze(before.text, written), before);
  if (options.json) printJson(written);
  else
    printStdout(
      `frozen${until === undefined ? "" : ` until ${until}`}: no update starts in ${only?.join(", ") ?? "the cluster"}\n`,
    );
}

async function unfreeze(options: Options): Promise<void> {
  const store = await openStore(options);
  const before = await store.read();
  const { text, lifted, later } = liftFreezes(before.text, before.now);
  if (lifted.length > 0) await store.write(text, before);
  else process.exitCode = exitCodes.noMatch;
  if (options.json) return printJson({ lifted: lifted.map(toDocument), later: later.map(toDocument) });
  printStdout(
    lifted.length === 0 ? "no freeze is active\n" : lifted.map((one) => `lifted: ${describe(one)}\n`).join(""),
  );
  printStdout(later.map((one) => `begins later: ${describe(one)}\n`).join(""));
}

async function openStore(options: Options): Promise<FreezeStore> {
  const { createFreezeStore } = await import("../../functions/adapters/kubernetes/freeze-store.ts");
  return createFreezeStore(await loadKubeConfig(options), options.pawlNamespace);
}

function describe({ reason, by, from, to }: Freeze): string {
  const times = [from && `from ${formatRfc3339(from)}`, to && `until ${formatRfc3339(to)}`].filter(Boolean).join(" ");
  return [reason, by && `by ${by}`, times].filter(Boolean).join(", ");
}

function toDocument({ from, to, ...others }: Freeze): object {
  return { ...others, from: from && formatRfc3339(from), to: to && formatRfc3339(to) };
}
