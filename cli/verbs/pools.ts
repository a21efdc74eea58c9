import { Command } from "commander";
import { shortenDigests } from "../../functions/domain/short-digests.ts";
import type { NodePools } from "../../functions/ports/node-pools.ts";
import { printJson } from "../output/json.ts";
import { oneLine } from "../output/one-line.ts";
import { say } from "../output/say.ts";
import { poolNamed } from "../pools/find.ts";
import { lookAtPools, type PoolLook } from "../pools/look.ts";
import { poolNameIn } from "../pools/name.ts";
import { poolNodes } from "../pools/nodes.ts";
import { podsOfDrained } from "../pools/pods.ts";
import { poolStatus } from "../pools/status.ts";
import { nodeTable, poolTable } from "../pools/tables.ts";
import { type ContextOptions, withContextOptions } from "../reach/cluster-options.ts";
import { openNodePools } from "../reach/node-pools.ts";

interface Options extends ContextOptions {
  readonly json?: true;
}

export function poolsCommand(): Command {
  const command = new Command("pools").description(
    "Prints every node pool (BootcNodePool): its image and the digest that it stands for, how many of its nodes run that, " +
      "and whether it is up to date, rolls out, waits or halts, and why. With a name, its nodes as well: what each runs " +
      "and has staged, its slot, its cordon, and what is done to it next or what it waits for. It is as the nodes are now, " +
      "which the pool's status may not say yet; pull secrets are not read. Tables shorten digests, --json does not.",
  );
  return withContextOptions(command.argument("[name]", "a node pool, such as workers"))
    .option("--json", "print one JSON document: a list of pools, or the pool and its nodes")
    .addHelpText("after", "\nExamples:\n  pawl pools --context staging\n  pawl pools workers")
    .action(printPools);
}

async function printPools(written: string | undefined, options: Options): Promise<void> {
  const nodePools = await openNodePools(options);
  const looks = await lookAtPools({ nodePools, now: () => new Date(), resolve: async () => null });
  if (written !== undefined) return printPool(nodePools, lookNamed(poolNameIn(written) ?? written, looks), options);
  const pools = looks.map(poolStatus);
  if (options.json) printJson(pools);
  else if (pools.length === 0) say("there are no node pools: the cluster has no BootcNodePool");
  else process.stdout.write(poolTable(pools, process.stdout));
}

function lookNamed(name: string, looks: readonly PoolLook[]): PoolLook {
  const named = looks.map((look) => ({ name: look.pool.name, look }));
  return poolNamed(name, named).look;
}

async function printPool(nodePools: NodePools, look: PoolLook, { json }: Options): Promise<void> {
  const pool = poolStatus(look);
  const nodes = poolNodes(look.tick, await podsOfDrained(nodePools, look.tick));
  if (json) return printJson({ ...pool, nodes });
  const { stdout } = process;
  stdout.write(poolTable([pool], stdout));
  if (nodes.length > 0) stdout.write(`\n${nodeTable(nodes, look.tick.now, stdout)}`);
  if (pool.problems.length > 0) stdout.write(`\nProblems:\n${pool.problems.map(problemLine).join("")}`);
}

/** Some of it was written by others. */
function problemLine(problem: string): string {
  return `  ${shortenDigests(oneLine(problem))}\n`;
}
