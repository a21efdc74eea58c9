import { Command } from "commander";
import { planCluster } from "../../functions/workflows/poll/plan-cluster.ts";
import { printJson, printStderr, printStdout } from "../output/print.ts";
import { type PlannedPool, planPools } from "../node-pools/plan.ts";
import { type ClusterOptions, withClusterOptions } from "../options/cluster.ts";
import { openCluster } from "../connect/cluster.ts";
import { type DigestOptions, withDigestOptions } from "../options/digest.ts";
import { type NodePoolOptions, includesNodePools, withNodePoolOptions } from "../options/node-pool.ts";
import { openNodePools } from "../connect/node-pools.ts";
import { type RegistryOptions, withRegistryOptions } from "../options/registry.ts";
import { openRegistry } from "../connect/registry.ts";
import { drainTable, plannedNodesTable, planTable } from "../output/plan-tables.ts";
import { planWorkload } from "../workloads/plan.ts";

type Options = ClusterOptions & RegistryOptions & DigestOptions & NodePoolOptions & { readonly json?: true };

const now = () => new Date();

/** Which addresses are allowed is known to the deployment only. */
const metricProvider = () => Promise.resolve(null);

export function planCommand(): Command {
  const command = new Command("plan").description(
    "Polls once, as the schedule does, without changing anything. Prints what runs on each workload with Pawl enabled, the next " +
      "version, and what would be done and why. A workload whose registry fails is an error. For each node pool, whose tag is " +
      "resolved if that is due, it prints the same, and the next step of each node that will change, with the pods that its drain loses. Node pools are " +
      "cluster-wide: with --namespace they are excluded unless --node-pools is set.",
  );
  return withNodePoolOptions(withDigestOptions(withRegistryOptions(withClusterOptions(command))))
    .option("--json", "print one JSON document: a list of workloads and node pools")
    .addHelpText("after", "\nExamples:\n  pawl plan --context staging -n shop\n  pawl plan -n shop --node-pools")
    .action(printPlan);
}

async function printPlan(options: Options): Promise<void> {
  const { cluster } = await openCluster(options);
  const registry = await openRegistry(options);
  const includesPools = includesNodePools(options);
  const workloads = await planCluster({ cluster, registry, now, metricProvider }, ({ message }) =>
    printStderr(message),
  );
  const pools = includesPools
    ? await planPools({ nodePools: await openNodePools(options), registry, now }, printStderr)
    : [];
  const planned = [...workloads.map(planWorkload), ...pools];
  if (options.json) printJson(planned);
  else if (planned.length > 0) printStdout(planTable(planned, process.stdout) + renderNodes(pools));
  else printStderr(`no workloads with Pawl enabled${includesPools ? ", and no node pools" : ""}`);
}

function renderNodes(pools: readonly PlannedPool[]): string {
  const { stdout } = process;
  const tables = pools.some(({ nodes }) => nodes.length > 0)
    ? [plannedNodesTable(pools, stdout), drainTable(pools, stdout)]
    : [];
  return tables.map((table) => (table === "" ? "" : `\n${table}`)).join("");
}
