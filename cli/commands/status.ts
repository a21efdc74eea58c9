import { Command } from "commander";
import { versionOf } from "../../functions/domain/image/reference.ts";
import { circuitCell, versionCell } from "../output/cells.ts";
import { printJson, printStderr, printStdout } from "../output/print.ts";
import { type Cell, renderTable } from "../output/table.ts";
import { type ClusterOptions, withClusterOptions } from "../options/cluster.ts";
import { type OpenCluster, openCluster } from "../connect/cluster.ts";
import { metricChart } from "../output/metric-chart.ts";
import { describeProgress, measurementTable } from "../output/progress.ts";
import { findWorkload } from "../workloads/find.ts";
import { listWorkloads } from "../workloads/list.ts";
import { workloadArgument } from "../workloads/name.ts";
import { measurementsOf, progressOf, readAnalysisDeadline } from "../workloads/progress.ts";
import { readOrThrow } from "../workloads/read.ts";
import { statusOf, type WorkloadStatus } from "../workloads/status.ts";

type Options = ClusterOptions & { readonly json?: true };

const columns = [
  { header: "WORKLOAD" },
  { header: "TRACKS" },
  { header: "RUNNING" },
  { header: "CURRENT" },
  { header: "AVAILABLE" },
  { header: "ROLLBACKS" },
  { header: "CIRCUIT" },
  { header: "IN FLIGHT", narrow: "wrap" },
  { header: "MESSAGE", narrow: "wrap" },
] as const;

export function statusCommand(): Command {
  const command = new Command("status").description(
    "Prints every workload with Pawl enabled or with an update in flight: whether it tracks its tag, the tag's digest, its configuration, " +
      "the running version, the last healthy version, the newest available version, rollbacks since then, the circuit, and " +
      "why it is held. With a name, also the step of its update, the time left, and the last measurements. Tables abbreviate " +
      "digests, --json does not.",
  );
  return withClusterOptions(command.argument("[workload]", workloadArgument))
    .option(
      "--json",
      "print one JSON document: a list of workloads, or the workload, its progress and its measurements",
    )
    .addHelpText("after", "\nExamples:\n  pawl status --context staging\n  pawl status shop/web")
    .action(printStatus);
}

async function printStatus(name: string | undefined, options: Options): Promise<void> {
  const opened = await openCluster(options);
  if (name !== undefined) return printWorkload(opened, name, options);
  const statuses = (await listWorkloads(opened.cluster)).map(statusOf);
  if (options.json) printJson(statuses);
  else if (statuses.length === 0) printStderr("no workloads with Pawl enabled");
  else printStdout(renderTable(columns, statuses.map(toRow), { stream: process.stdout }));
}

async function printWorkload(opened: OpenCluster, name: string, { json }: Options): Promise<void> {
  const { cluster } = opened;
  const workload = await readOrThrow(cluster, await findWorkload(opened, name));
  const status = statusOf(workload);
  const now = new Date();
  const progress = progressOf(workload, await readAnalysisDeadline(cluster, workload, now), now);
  const measurements = measurementsOf(workload);
  if (json) return printJson({ ...status, progress, measurements });
  const { stdout } = process;
  printStdout(renderTable(columns, [toRow(status)], { stream: stdout }));
  if (progress !== null) printStdout(`\n${describeProgress(progress)}`);
  if (measurements.length > 0)
    printStdout(`\n${metricChart(measurements, stdout)}\n${measurementTable(measurements, stdout)}`);
}

function toRow(status: WorkloadStatus): readonly Cell[] {
  return [
    status.workload,
    status.tracks.join(", ") || "-",
    versionCell(status.running),
    versionCell(status.current),
    versionCell(status.available),
    `${status.rollbacks}/${status.maxRollbacks}`,
    circuitCell(status.circuit === "open"),
    inFlightCell(status),
    messageCell(status),
  ];
}

function inFlightCell({ inFlight }: WorkloadStatus): Cell {
  if (inFlight === null) return "-";
  const { phase, target, execution, measured } = inFlight;
  const measurement = measured === null ? "" : `, ${measured}`;
  return { text: `${phase} ${versionOf(target) || target}${measurement} (${execution ?? "manually"})`, colour: "cyan" };
}

const pinMessages = {
  rollback: { text: "pinned by a rollback until another digest is pushed", colour: "yellow" },
  manual: "pinned manually",
} satisfies Record<NonNullable<WorkloadStatus["pinned"]>, Cell>;

/** Returns the highest-severity message: a problem prevents updates, a pause is intended. */
function messageCell({ problems, request, held, paused, reverted, pinned, enabled }: WorkloadStatus): Cell {
  if (problems.length > 0) return { text: problems.join("; "), colour: "red" };
  if (request !== null) return { text: `requested, and not handled yet: ${request}`, colour: "cyan" };
  if (held !== null) return { text: held, colour: "yellow" };
  if (paused) return { text: "paused", colour: "yellow" };
  if (!enabled) return "auto-update is disabled";
  if (reverted !== null)
    return `a tag moved back to a previously deployed digest at ${reverted.since}; waiting 1 h before applying`;
  return pinned === null ? "" : pinMessages[pinned];
}
