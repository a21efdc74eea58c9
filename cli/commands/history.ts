import { Command } from "commander";
import pLimit from "p-limit";
import { formatRfc3339 } from "../../functions/domain/text/rfc3339.ts";
import type { HistoryEntry } from "../../functions/domain/workload/workload.ts";
import { exitCodes, InvalidInput } from "../exit-codes.ts";
import { printAs } from "../output/document.ts";
import { printJsonLine, printStderr, printStdout } from "../output/print.ts";
import { joinNames } from "../output/join-names.ts";
import { type Cell, renderTable, cellText } from "../output/table.ts";
import { type ClusterOptions, withClusterOptions, withSelectorOption } from "../options/cluster.ts";
import { assertStream, formatOf, type OutputFormat, type OutputOptions, withOutputOptions } from "../options/output.ts";
import { connectCluster } from "../connect/cluster.ts";
import { formatWorkloadName, joinKind, workloadArgument } from "../workloads/name.ts";
import { readOrThrow } from "../workloads/read.ts";
import { noneSelected, selectWorkloads } from "../workloads/select.ts";
import { watchHistory } from "../workloads/watch-history.ts";

type Options = ClusterOptions & OutputOptions & { readonly watch?: true };

const maxConcurrentReads = 16;

const columns = [
  { header: "VERSION" },
  { header: "STATUS" },
  { header: "APPLIED AT" },
  { header: "IMAGE", narrow: "cut", dropped: 2 },
  { header: "EXECUTION", narrow: "cut", dropped: 1 },
  { header: "REASON", narrow: "wrap" },
] as const;

export function createCommand(): Command {
  const command = new Command("history").description(
    "Prints the updates of a workload, at most the last 50, newest first: the version, whether it became healthy or was " +
      "rolled back and why, when it was applied, the image and the execution. A Claw and a StatefulCanary record no image, " +
      "execution and reason. With several workloads, or -l, each update also has its workload. The exit code is 1 if there are none.",
  );
  const connected = withSelectorOption(
    withClusterOptions(command.argument("[workload...]", workloadArgument)),
    "workloads",
  );
  return withOutputOptions(connected, "a list of updates")
    .option("-w, --watch", "print the newest last, then each update that completes, until Ctrl-C")
    .addHelpText(
      "after",
      "\nExamples:\n  pawl history shop/web\n  pawl history -l app=web\n  pawl history deployment web --watch",
    )
    .action(printHistory);
}

async function printHistory(words: readonly string[], options: Options): Promise<void> {
  const names = joinKind(words);
  if (names.length === 0 && options.selector === undefined)
    throw new InvalidInput("history: no workload is named; name one, or select some with -l");
  const format = formatOf(options);
  if (options.watch === true) assertStream(format);
  const opened = await connectCluster(options);
  // A list has only what a poll needs of each update.
  const limit = pLimit(maxConcurrentReads);
  const selected = await selectWorkloads(opened, names, options);
  const workloads = await Promise.all(selected.map((one) => limit(() => readOrThrow(opened.cluster, one))));
  const isNamed = names.length !== 1;
  // A watch appends to what it has printed.
  const order = (entries: readonly HistoryEntry[]) => (options.watch === true ? entries : entries.toReversed());
  const updates = workloads.flatMap(({ ref, updateRecord }) =>
    order(updateRecord.versionHistory).map((entry): Update => ({
      workload: isNamed ? formatWorkloadName(ref) : null,
      entry,
    })),
  );
  if (options.watch === true && format === "json") updates.forEach((update) => printUpdate(update, format));
  else
    await printAs(format, {
      document: updates.map(updateDocument),
      names: updates.map(({ entry }) => entry.version),
      table: () =>
        renderTable(isNamed ? [{ header: "WORKLOAD" }, ...columns] : columns, updates.map(toRow), {
          stream: process.stdout,
        }),
    });
  if (options.watch === true) {
    const watched = workloads.map(({ ref, updateRecord }) => {
      const workload = isNamed ? formatWorkloadName(ref) : null;
      const print = (entry: HistoryEntry) => printUpdate({ workload, entry }, format);
      return watchHistory(opened.cluster, ref, updateRecord.versionHistory, print);
    });
    await Promise.all(watched);
    return;
  }
  if (updates.length > 0) return;
  const which = selected.map(({ ref }) => formatWorkloadName(ref));
  printStderr(which.length === 0 ? noneSelected(options) : `${joinNames(which)}: no completed updates`);
  process.exitCode = exitCodes.noMatch;
}

interface Update {
  /** null if the only one is named. */
  readonly workload: string | null;
  readonly entry: HistoryEntry;
}

function printUpdate(update: Update, format: OutputFormat): void {
  if (format === "json") printJsonLine(updateDocument(update));
  else printStdout(format === "name" ? `${update.entry.version}\n` : `${toRow(update).map(cellText).join("   ")}\n`);
}

function updateDocument({ workload, entry }: Update): object {
  return workload === null ? historyDocument(entry) : { workload, ...historyDocument(entry) };
}

/** One update as `--json` prints it; null is not recorded. */
export function historyDocument({
  version,
  kind,
  status,
  appliedAt,
  finishedAt,
  image,
  reason,
  execution,
}: HistoryEntry) {
  return {
    version,
    kind: kind ?? null,
    status,
    appliedAt: formatRfc3339(appliedAt),
    finishedAt: finishedAt === undefined ? null : formatRfc3339(finishedAt),
    image: image ?? null,
    reason: reason ?? null,
    execution: execution ?? null,
  };
}

function toRow({ workload, entry }: Update): readonly Cell[] {
  const { version, kind, status, appliedAt, image, execution, reason } = entry;
  const colour = status === "Healthy" ? "green" : "red";
  return [
    ...(workload === null ? [] : [workload]),
    kind === "restart" ? `${version} (restart)` : version,
    { text: status, colour },
    formatRfc3339(appliedAt),
    image ?? "-",
    execution ?? "-",
    reason ?? "",
  ];
}
