import { Command } from "commander";
import { versionOf } from "../../functions/domain/image-reference.ts";
import { circuitCell, versionCell } from "../output/cells.ts";
import { printJson } from "../output/json.ts";
import { say } from "../output/say.ts";
import { type Cell, renderTable } from "../output/table.ts";
import { type ClusterOptions, withClusterOptions } from "../reach/cluster-options.ts";
import { openCluster } from "../reach/cluster.ts";
import { listWorkloads } from "../workloads/list.ts";
import { statusOf, type WorkloadStatus } from "../workloads/status.ts";

type Options = ClusterOptions & { readonly json?: true };

const columns = [
  { header: "WORKLOAD" },
  { header: "FOLLOWS" },
  { header: "RUNNING" },
  { header: "CURRENT" },
  { header: "AVAILABLE" },
  { header: "ROLLBACKS" },
  { header: "CIRCUIT" },
  { header: "IN FLIGHT", narrow: "wrap" },
  { header: "NOTE", narrow: "wrap" },
] as const;

export function statusCommand(): Command {
  const command = new Command("status").description(
    "Prints every workload that has opted in or has an update in flight: whether its tag, the digest behind it or both are " +
      "followed, the version that runs, the one that was recorded as healthy, the newest that was found, rollbacks since " +
      "then, the circuit, and what keeps it. Tables shorten digests, --json does not.",
  );
  return withClusterOptions(command)
    .option("--json", "print one JSON document: a list of workloads")
    .addHelpText("after", "\nExample:\n  pawl status --context staging")
    .action(printStatus);
}

async function printStatus(options: Options): Promise<void> {
  const { cluster } = await openCluster(options);
  const statuses = (await listWorkloads(cluster)).map(statusOf);
  if (options.json) printJson(statuses);
  else if (statuses.length === 0) say("no workload has opted in");
  else process.stdout.write(renderTable(columns, statuses.map(rowOf), { stream: process.stdout }));
}

function rowOf(status: WorkloadStatus): readonly Cell[] {
  return [
    status.workload,
    status.follows.join(", ") || "-",
    versionCell(status.running),
    versionCell(status.current),
    versionCell(status.available),
    `${status.rollbacks}/${status.maxRollbacks}`,
    circuitCell(status.circuit === "open"),
    inFlightCell(status),
    noteCell(status),
  ];
}

function inFlightCell({ inFlight }: WorkloadStatus): Cell {
  if (inFlight === null) return "-";
  const { phase, target, execution, measured } = inFlight;
  const told = measured === null ? "" : `, ${measured}`;
  return { text: `${phase} ${versionOf(target) || target}${told} (${execution ?? "by hand"})`, colour: "cyan" };
}

const pinNotes = {
  rollback: { text: "pinned by a rollback until another digest is pushed", colour: "yellow" },
  hand: "pinned by hand",
} satisfies Record<NonNullable<WorkloadStatus["pinned"]>, Cell>;

/** The gravest first: a problem lets nothing start, a pause is meant. */
function noteCell({ problems, held, paused, returning, pinned, enabled }: WorkloadStatus): Cell {
  if (problems.length > 0) return { text: problems.join("; "), colour: "red" };
  if (held !== null) return { text: held, colour: "yellow" };
  if (paused) return { text: "paused", colour: "yellow" };
  if (!enabled) return "auto-update is switched off";
  if (returning !== null) return `a former digest is shown again since ${returning.since}: believed after an hour`;
  return pinned === null ? "" : pinNotes[pinned];
}
