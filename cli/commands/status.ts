import { Command } from "commander";
import type { Workload } from "../../functions/domain/workload/workload.ts";
import { rollbacksCell, versionCell } from "../output/cells.ts";
import { countStates, sortByState, stateCell } from "../output/state-cell.ts";
import { printAs } from "../output/document.ts";
import { printStderr } from "../output/print.ts";
import { type Cell, type Column, renderTable } from "../output/table.ts";
import { type ClusterOptions, withClusterOptions, withSelectorOption } from "../options/cluster.ts";
import { formatOf, isTable, type OutputOptions, withOutputOptions } from "../options/output.ts";
import { type OpenCluster, connectCluster } from "../connect/cluster.ts";
import { describeEmpty } from "../connect/missing-namespaces.ts";
import { metricChart } from "../output/metric-chart.ts";
import { describeProgress, measurementTable } from "../output/progress.ts";
import { inFlightCell, messageCell } from "../workloads/status-cells.ts";
import { describeLastPoll } from "../workloads/last-poll.ts";
import { joinKind, workloadArgument } from "../workloads/name.ts";
import { measurementsOf, progressOf, readAnalysisDeadline } from "../workloads/progress.ts";
import { readOrThrow } from "../workloads/read.ts";
import { noneSelected, selectWorkloads } from "../workloads/select.ts";
import { statusOf, type WorkloadStatus } from "../workloads/status.ts";

type Options = ClusterOptions & OutputOptions & { readonly watch?: true };

const columns: readonly Column[] = [
  { header: "WORKLOAD" },
  { header: "STATE" },
  { header: "CURRENT" },
  { header: "AVAILABLE" },
  { header: "MESSAGE", narrow: "wrap" },
];
const wideColumns: readonly Column[] = [
  ...columns,
  { header: "TRACKS" },
  { header: "LAST HEALTHY" },
  { header: "ROLLBACKS" },
  { header: "IN FLIGHT", narrow: "wrap" },
  { header: "LAST UPDATE" },
  { header: "FAILED VERSIONS", narrow: "cut" },
];

export function statusCommand(): Command {
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
  if (only !== undefined && names.length === 1) return printWorkload(opened, only, options);
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

async function printWorkload({ cluster }: OpenCluster, found: Workload, options: Options): Promise<void> {
  const workload = await readOrThrow(cluster, found);
  const now = new Date();
  const status = statusOf(workload, now);
  const progress = progressOf(workload, await readAnalysisDeadline(cluster, workload, now), now);
  const measurements = measurementsOf(workload);
  const { stdout } = process;
  await printAs(formatOf(options), {
    document: { ...status, progress, measurements },
    names: [status.workload],
    table: (isWide) =>
      [
        statusTable([status], isWide),
        ...(progress === null ? [] : [`\n${describeProgress(progress)}`]),
        ...(measurements.length === 0
          ? []
          : [`\n${metricChart(measurements, stdout)}\n${measurementTable(measurements, stdout)}`]),
      ].join(""),
  });
}

function statusTable(statuses: readonly WorkloadStatus[], isWide: boolean): string {
  const rows = statuses.map((status) => (isWide ? [...toRow(status), ...wideCells(status)] : toRow(status)));
  return renderTable(isWide ? wideColumns : columns, rows, { stream: process.stdout });
}

function toRow(status: WorkloadStatus): readonly Cell[] {
  return [
    status.workload,
    stateCell(status.state),
    versionCell(status.running ?? status.current),
    versionCell(status.available),
    messageCell(status),
  ];
}

function wideCells(status: WorkloadStatus): readonly Cell[] {
  return [
    status.tracks.join(", ") || "-",
    versionCell(status.current),
    rollbacksCell(status.rollbacks, status.maxRollbacks),
    inFlightCell(status),
    status.lastUpdate ?? "-",
    status.failedVersions.join(", ") || "-",
  ];
}
