import { Command } from "commander";
import { planCluster } from "../../functions/polling/plan-cluster.ts";
import { printJson } from "../output/json.ts";
import { say } from "../output/say.ts";
import type { PlannedPool } from "../pools/planned.ts";
import { planPools } from "../pools/plan.ts";
import { type ClusterOptions, withClusterOptions } from "../reach/cluster-options.ts";
import { openCluster } from "../reach/cluster.ts";
import { type FollowOptions, withFollowOptions } from "../reach/follow-options.ts";
import { type NodePoolOptions, wantsNodePools, withNodePoolOptions } from "../reach/node-pool-options.ts";
import { openNodePools } from "../reach/node-pools.ts";
import { type RegistryOptions, withRegistryOptions } from "../reach/registry-options.ts";
import { openRegistry } from "../reach/registry.ts";
import { plannedNodesTable, planTable } from "../output/plan-tables.ts";
import { plannedWorkload } from "../workloads/planned.ts";

type Options = ClusterOptions & RegistryOptions & FollowOptions & NodePoolOptions & { readonly json?: true };

const now = () => new Date();

export function planCommand(): Command {
  const command = new Command("plan").description(
    "Polls once, as the schedule would, and changes nothing: prints of each workload that has opted in what runs, what " +
      "would come next, and what would be done about it and why. A workload whose registry fails is shown as an error. " +
      "Of each node pool, whose tag is resolved where that is due, it prints the same, and of each of its nodes that is " +
      "to change what would be done to it next or what it waits for. Node pools are cluster-wide: with --namespace they " +
      "are left out unless --node-pools is given.",
  );
  return withNodePoolOptions(withFollowOptions(withRegistryOptions(withClusterOptions(command))))
    .option("--json", "print one JSON document: a list of workloads and node pools")
    .addHelpText("after", "\nExamples:\n  pawl plan --context staging -n shop\n  pawl plan -n shop --node-pools")
    .action(printPlan);
}

async function printPlan(options: Options): Promise<void> {
  const { cluster } = await openCluster(options);
  const registry = await openRegistry(options);
  const wantsPools = wantsNodePools(options);
  const workloads = await planCluster({ cluster, registry, now }, ({ message }) => say(message));
  const pools = wantsPools ? await planPools({ nodePools: await openNodePools(options), registry, now }, say) : [];
  const planned = [...workloads.map(plannedWorkload), ...pools];
  if (options.json) printJson(planned);
  else if (planned.length > 0) process.stdout.write(planTable(planned, process.stdout) + nodesBelow(pools));
  else say(`no workload has opted in${wantsPools ? ", and there are no node pools" : ""}`);
}

function nodesBelow(pools: readonly PlannedPool[]): string {
  return pools.some(({ nodes }) => nodes.length > 0) ? `\n${plannedNodesTable(pools, process.stdout)}` : "";
}
