import { Command } from "commander";
import { abbreviateDigests } from "../../functions/domain/image/abbreviate-digests.ts";
import type { NodePools } from "../../functions/ports/node-pools.ts";
import { printAs } from "../output/document.ts";
import { printStderr } from "../output/print.ts";
import { toSingleLine } from "../../functions/domain/text/printable.ts";
import { findPool } from "../node-pools/find.ts";
import { observePools, type ObservedPool } from "../node-pools/observe.ts";
import { formatPoolName, parsePoolName } from "../node-pools/name.ts";
import { nodeStatuses } from "../node-pools/nodes.ts";
import { readPodsOfDrainedNodes } from "../node-pools/pods.ts";
import { poolStatus } from "../node-pools/status.ts";
import { nodeTable, poolTable } from "../node-pools/tables.ts";
import { type ContextOptions, withContextOptions, withSelectorOption } from "../options/cluster.ts";
import { formatOf, type OutputOptions, withOutputOptions } from "../options/output.ts";
import { InvalidInput } from "../exit-codes.ts";
import { connectNodePools, selectedPools } from "../connect/node-pools.ts";

interface Options extends ContextOptions, OutputOptions {
  readonly watch?: true;
  readonly selector?: string;
}

export function createCommand(): Command {
  const command = new Command("pools").description(
    "Prints every node pool (BootcNodePool): its image and the image's digest, how many of its nodes run it, and whether it is " +
      "up to date, rolling out, waiting or halted, and why. With a name, also its nodes: booted and staged digest, slot, cordon " +
      "and next step. The nodes are read now, so the pool's status may be older; pull secrets are not read. Tables abbreviate " +
      "digests, json and yaml do not.",
  );
  const document = "a list of pools, or one pool and its nodes";
  const named = withContextOptions(command.argument("[name]", "a node pool, such as workers"));
  return withOutputOptions(withSelectorOption(named, "node pools"), document)
    .option("-w, --watch", "then print each pool again when it changes, until Ctrl-C")
    .addHelpText(
      "after",
      "\nExamples:\n  pawl pools --context staging\n  pawl pools workers\n  pawl pools -l zone=a\n  pawl pools --watch",
    )
    .action(printPools);
}

async function printPools(name: string | undefined, options: Options): Promise<void> {
  if (name !== undefined && options.selector !== undefined)
    throw new InvalidInput("-l: a name is given too; use one of the two");
  if (options.watch === true)
    return (await import("../node-pools/watch-pools.ts")).watchPools(name, options, formatOf(options));
  const nodePools = await connectNodePools(options);
  const observed = await observePools({ nodePools, now: () => new Date(), resolve: async () => null });
  if (name !== undefined) return printPool(nodePools, findObserved(parsePoolName(name) ?? name, observed), options);
  const selected = await selectedPools(options);
  const pools = observed.map(poolStatus).filter((pool) => selected === null || selected.has(pool.name));
  if (pools.length === 0 && formatOf(options) === "table")
    printStderr(
      `no node pools: the cluster has no BootcNodePool${selected === null ? "" : ` with labels ${options.selector}`}`,
    );
  await printAs(formatOf(options), {
    document: pools,
    names: pools.map(formatPoolName),
    table: () => poolTable(pools, process.stdout),
  });
}

function findObserved(name: string, observed: readonly ObservedPool[]): ObservedPool {
  const named = observed.map((view) => ({ name: view.pool.name, view }));
  return findPool(name, named).view;
}

async function printPool(nodePools: NodePools, view: ObservedPool, options: Options): Promise<void> {
  const pool = poolStatus(view);
  const nodes = nodeStatuses(view.poolState, await readPodsOfDrainedNodes(nodePools, view.poolState));
  const { stdout } = process;
  await printAs(formatOf(options), {
    document: { ...pool, nodes },
    names: [formatPoolName(pool)],
    table: () =>
      [
        poolTable([pool], stdout),
        ...(nodes.length > 0 ? [`\n${nodeTable(nodes, view.poolState.now, stdout)}`] : []),
        ...(pool.problems.length > 0 ? [`\nProblems:\n${pool.problems.map(formatProblem).join("")}`] : []),
      ].join(""),
  });
}

/** Problems contain external text. */
function formatProblem(problem: string): string {
  return `  ${abbreviateDigests(toSingleLine(problem))}\n`;
}
