import { Command } from "commander";
import { planCluster } from "../../functions/polling/plan-cluster.ts";
import { printJson } from "../output/json.ts";
import { versionCell } from "../output/cells.ts";
import { say } from "../output/say.ts";
import { type Colour, renderTable } from "../output/table.ts";
import { type ClusterOptions, withClusterOptions } from "../reach/cluster-options.ts";
import { openCluster } from "../reach/cluster.ts";
import { type FollowOptions, withFollowOptions } from "../reach/follow-options.ts";
import { type RegistryOptions, withRegistryOptions } from "../reach/registry-options.ts";
import { openRegistry } from "../reach/registry.ts";
import { type PlannedWorkload, plannedWorkload } from "../workloads/planned.ts";

type Options = ClusterOptions & RegistryOptions & FollowOptions & { readonly json?: true };

const colours = {
  update: "green",
  restart: "green",
  hold: "gray",
  "in-flight": "cyan",
  problem: "yellow",
  error: "red",
} satisfies Record<PlannedWorkload["decision"], Colour>;

const columns = [
  { header: "WORKLOAD" },
  { header: "CURRENT" },
  { header: "CANDIDATE" },
  { header: "DECISION" },
  { header: "REASON", narrow: "wrap" },
] as const;

export function planCommand(): Command {
  const command = new Command("plan").description(
    "Polls once, as the schedule would, and changes nothing: prints of each workload that has opted in what runs, what " +
      "would come next, and what would be done about it and why. A workload whose registry fails is shown as an error.",
  );
  return withFollowOptions(withRegistryOptions(withClusterOptions(command)))
    .option("--json", "print one JSON document: a list of workloads")
    .addHelpText("after", "\nExample:\n  pawl plan --context staging -n shop")
    .action(printPlan);
}

async function printPlan(options: Options): Promise<void> {
  const { cluster } = await openCluster(options);
  const registry = await openRegistry(options);
  const planned = (await planCluster({ cluster, registry, now: () => new Date() }, ({ message }) => say(message))).map(
    plannedWorkload,
  );
  if (options.json) printJson(planned);
  else if (planned.length === 0) say("no workload has opted in");
  else process.stdout.write(renderTable(columns, planned.map(rowOf), { stream: process.stdout }));
}

function rowOf({ workload, current, candidate, decision, reason }: PlannedWorkload) {
  return [
    workload,
    versionCell(current),
    versionCell(candidate),
    { text: decision, colour: colours[decision] },
    reason,
  ];
}
