import { Command } from "commander";
import { formatRfc3339 } from "../../functions/domain/text/rfc3339.ts";
import type { HistoryEntry } from "../../functions/domain/workload/workload.ts";
import { exitCodes } from "../exit-codes.ts";
import { printJson, printStderr, printStdout } from "../output/print.ts";
import { renderTable } from "../output/table.ts";
import { type ClusterOptions, withClusterOptions } from "../options/cluster.ts";
import { openCluster } from "../connect/cluster.ts";
import { findWorkload } from "../workloads/find.ts";
import { formatWorkloadName, workloadArgument } from "../workloads/name.ts";
import { readOrThrow } from "../workloads/read.ts";

type Options = ClusterOptions & { readonly json?: true };

const columns = [
  { header: "VERSION" },
  { header: "STATUS" },
  { header: "APPLIED AT" },
  { header: "IMAGE", narrow: "cut" },
  { header: "EXECUTION", narrow: "cut" },
  { header: "REASON", narrow: "wrap" },
] as const;

export function historyCommand(): Command {
  const command = new Command("history").description(
    "Prints the updates of a workload, at most the last 50, newest last: the version, whether it became healthy or was " +
      "rolled back and why, when it was applied, the image and the execution. A Claw and a StatefulCanary record no image, " +
      "execution and reason. The exit code is 1 if there are none.",
  );
  return withClusterOptions(command.argument("<workload>", workloadArgument))
    .option("--json", "print one JSON document: a list of updates")
    .addHelpText("after", "\nExample:\n  pawl history shop/web")
    .action(printHistory);
}

async function printHistory(name: string, options: Options): Promise<void> {
  const opened = await openCluster(options);
  // A list has only what a poll needs of each update.
  const { ref, updateRecord } = await readOrThrow(opened.cluster, await findWorkload(opened, name));
  const history = updateRecord.versionHistory;
  if (options.json) printJson(history.map(historyDocument));
  else if (history.length > 0) printStdout(renderTable(columns, history.map(toRow), { stream: process.stdout }));
  if (history.length > 0) return;
  printStderr(`${formatWorkloadName(ref)}: no completed updates`);
  process.exitCode = exitCodes.noMatch;
}

/** One update as `--json` prints it; null is not recorded. */
export function historyDocument({ version, status, appliedAt, finishedAt, image, reason, execution }: HistoryEntry) {
  return {
    version,
    status,
    appliedAt: formatRfc3339(appliedAt),
    finishedAt: finishedAt === undefined ? null : formatRfc3339(finishedAt),
    image: image ?? null,
    reason: reason ?? null,
    execution: execution ?? null,
  };
}

function toRow({ version, status, appliedAt, image, execution, reason }: HistoryEntry) {
  const colour = status === "Healthy" ? "green" : "red";
  return [
    version,
    { text: status, colour },
    formatRfc3339(appliedAt),
    image ?? "-",
    execution ?? "-",
    reason ?? "",
  ] as const;
}
