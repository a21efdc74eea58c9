import { Command } from "commander";
import { countStates } from "../output/state-cell.ts";
import { sortByState } from "../output/state-words.ts";
import { printAs } from "../output/document.ts";
import { printStderr } from "../output/print.ts";
import { type ClusterOptions, withClusterOptions, withSelectorOption } from "../options/cluster.ts";
import { formatOf, isTable, type OutputOptions, withOutputOptions } from "../options/output.ts";
import { connectCluster } from "../connect/cluster.ts";
import { describeEmpty } from "../connect/missing-namespaces.ts";
import { statusTable } from "../output/status-table.ts";
import { describeLastPoll } from "../workloads/last-poll.ts";
import { joinKind, workloadArgument } from "../workloads/name.ts";
import { noneSelected, selectWorkloads } from "../workloads/select.ts";
import { statusOf } from "../workloads/status.ts";

type Options = ClusterOptions & OutputOptions & { readonly watch?: true };

export function createCommand(): Command {
  const command = new Command("status").description(
    "Prints every workload with Pawl enabled or with an update in flight, those that need a person first: its state in one word, the running version, the newest available " +
      "version, and why it is in this state. -o wide adds what it tracks (its tag, the tag's digest, its configuration), the last healthy " +
      "version, rollbacks since then, and its update. With one name, also the step of its update, the time left, and the last measurements. Tables abbreviate " +
      "digests, json and yaml do not.",
  );
  const document = "a list of workloads, or one workload, its progress and its measurements";
  const connected = withSelectorOption(
    withClusterOptions(command.argument("[workload...]", workloadArgument)),
    "workloads",
  );
  return withOutputOptions(connected, document)
    .option("-w, --watch", "then print each workload again when it changes, until Ctrl-C")
    .addHelpText(
      "after",
      "\nExamples:\n  pawl status --context staging\n  pawl status shop/web\n  pawl status deployment web cart -o wide\n  pawl status -l app=web\n  pawl status --watch",
    )
    .action(printStatus);
}

async function printStatus(words: readonly string[], options: Options): Promise<void> {
  const names = joinKind(words);
  if (options.watch === true)
    return (await import("../workloads/watch-status.ts")).watchStatus(names, options, formatOf(options));
  const opened = await connectCluster(options);
  const found = await selectWorkloads(opened, names, options);
  const [only] = found;
  if (only !== undefined && names.length === 1)
    return (await import("../workloads/show-workload.ts")).showWorkload(opened, only, options);
  const now = new Date();
  const statuses = found.map((workload) => statusOf(workload, now));
  const isOverview = names.length === 0 && statuses.length > 0;
  const lastPoll = isOverview ? await describeLastPoll(opened, now) : null;
  if (lastPoll !== null) printStderr(lastPoll);
  if (statuses.length === 0 && formatOf(options) === "table")
    printStderr(await describeEmpty(options, noneSelected(options)));
  await printAs(formatOf(options), {
    document: statuses,
    names: statuses.map(({ workload }) => workload),
    table: (isWide) => statusTable(isOverview ? sortByState(statuses) : statuses, isWide),
  });
  if (isOverview && isTable(formatOf(options))) printStderr(countStates(statuses));
}
