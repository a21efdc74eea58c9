import { Command } from "commander";
import { formatRfc3339 } from "../../functions/domain/time.ts";
import type { HistoryEntry } from "../../functions/domain/workload.ts";
import { exitCodes } from "../exit.ts";
import { printJson } from "../output/json.ts";
import { say } from "../output/say.ts";
import { renderTable } from "../output/table.ts";
import { type ClusterOptions, withClusterOptions } from "../reach/cluster-options.ts";
import { openCluster } from "../reach/cluster.ts";
import { findWorkload } from "../workloads/find.ts";
import { formatWorkloadName, workloadArgument } from "../workloads/name.ts";

type Options = ClusterOptions & { readonly json?: true };

const columns = [{ header: "VERSION" }, { header: "STATUS" }, { header: "APPLIED AT" }] as const;

export function historyCommand(): Command {
  const command = new Command("history").description(
    "Prints the updates of a workload, at most the last 50, newest last: the version, whether it became healthy or was " +
      "rolled back, and when it was applied. The status is 1 where there are none.",
  );
  return withClusterOptions(command.argument("<workload>", workloadArgument))
    .option("--json", "print one JSON document: a list of updates")
    .addHelpText("after", "\nExample:\n  pawl history shop/web")
    .action(printHistory);
}

async function printHistory(written: string, options: Options): Promise<void> {
  const { ref, bookkeeping } = await findWorkload(await openCluster(options), written);
  const history = bookkeeping.versionHistory;
  if (options.json) printJson(history.map((entry) => ({ ...entry, appliedAt: formatRfc3339(entry.appliedAt) })));
  else if (history.length > 0)
    process.stdout.write(renderTable(columns, history.map(rowOf), { stream: process.stdout }));
  if (history.length > 0) return;
  say(`no update of ${formatWorkloadName(ref)} has ended yet`);
  process.exitCode = exitCodes.nothing;
}

function rowOf({ version, status, appliedAt }: HistoryEntry) {
  const colour = status === "Healthy" ? "green" : "red";
  return [version, { text: status, colour }, formatRfc3339(appliedAt)] as const;
}
