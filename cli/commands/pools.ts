import { Command } from "commander";
import { abbreviateDigests } from "../../functions/domain/image/abbreviate-digests.ts";
import type { NodePools } from "../../functions/ports/node-pools.ts";
import { printJson, printStderr, printStdout } from "../output/print.ts";
import { toSingleLine } from "../../functions/domain/text/printable.ts";
import { findPool } from "../node-pools/find.ts";
import { observePools, type ObservedPool } from "../node-pools/observe.ts";
import { parsePoolName } from "../node-pools/name.ts";
import { nodeStatuses } from "../node-pools/nodes.ts";
import { readPodsOfDrainedNodes } from "../node-pools/pods.ts";
import { poolStatus } from "../node-pools/status.ts";
import { nodeTable, poolTable } from "../node-pools/tables.ts";
import { type ContextOptions, withContextOptions } from "../options/cluster.ts";
import { openNodePools } from "../connect/node-pools.ts";

interface Options extends ContextOptions {
  readonly json?: true;
}

export function poolsCommand(): Command {
  const command = new Command("pools").description(
    "Prints every node pool (BootcNodePool): its image and the image's digest, how many of its nodes run it, and whether it is " +
      "up to date, rolling out, waiting or halted, and why. With a name, also its nodes: booted and staged digest, slot, cordon " +
      "and next step. The nodes are read now, so the pool's status may be older; pull secrets are not read. Tables abbreviate " +
      "digests, --json does not.",
  );
  return withContextOptions(command.argument("[name]", "a node pool, such as workers"))
    .option("--json", "print one JSON document: a list of pools, or the pool and its nodes")
    .addHelpText("after", "\nExamples:\n  pawl pools --context staging\n  pawl pools workers")
    .action(printPools);
}

async function printPools(name: string | undefined, options: Options): Promise<void> {
  const nodePools = await openNodePools(options);
  const observed = await observePools({ nodePools, now: () => new Date(), resolve: async () => null });
  if (name !== undefined) return printPool(nodePools, findObserved(parsePoolName(name) ?? name, observed), options);
  const pools = observed.map(poolStatus);
  if (options.json) printJson(pools);
  else if (pools.length === 0) printStderr("no node pools: the cluster has no BootcNodePool");
  else printStdout(poolTable(pools, process.stdout));
}

function findObserved(name: string, observed: readonly ObservedPool[]): ObservedPool {
  const named = observed.map((view) => ({ name: view.pool.name, view }));
  return findPool(name, named).view;
}

async function printPool(nodePools: NodePools, view: ObservedPool, { json }: Options): Promise<void> {
  const pool = poolStatus(view);
  const nodes = nodeStatuses(view.poolState, await readPodsOfDrainedNodes(nodePools, view.poolState));
  if (json) return printJson({ ...pool, nodes });
  const { stdout } = process;
  printStdout(poolTable([pool], stdout));
  if (nodes.length > 0) printStdout(`\n${nodeTable(nodes, view.poolState.now, stdout)}`);
  if (pool.problems.length > 0) printStdout(`\nProblems:\n${pool.problems.map(formatProblem).join("")}`);
}

/** Problems contain external text. */
function formatProblem(problem: string): string {
  return `  ${abbreviateDigests(toSingleLine(problem))}\n`;
}
