import { loadKubeConfig } from "../connect/kube-config.ts";
import { connectNodePools, selectedPools } from "../connect/node-pools.ts";
import { openPoolFeed } from "../dashboard/server/pool-feed.ts";
import { awaitInterrupt } from "../input/interrupt.ts";
import type { ClusterOptions, ContextOptions } from "../options/cluster.ts";
import { assertStream, isTable, type OutputFormat } from "../options/output.ts";
import { alignRow } from "../output/align-row.ts";
import { printError, printJsonLine, printStderr, printStdout } from "../output/print.ts";
import { findPool } from "./find.ts";
import { formatPoolName, parsePoolName } from "./name.ts";
import { observePools } from "./observe.ts";
import { poolStatus } from "./status.ts";

const header = ["POOL", "STATE", "UPDATED", "UPDATING", "DEGRADED", "MESSAGE"];

/** Prints node pools now, and each again after it or one of its nodes has changed, until the command is interrupted. */
export async function watchPools(
  name: string | undefined,
  options: ContextOptions & Pick<ClusterOptions, "selector">,
  format: OutputFormat,
): Promise<void> {
  assertStream(format);
  const nodePools = await connectNodePools(options);
  const only = name === undefined ? null : findPool(parsePoolName(name) ?? name, await nodePools.list()).name;
  const printed = new Map<string, string>();
  const print = async () => {
    const observed = await observePools({ nodePools, now: () => new Date(), resolve: async () => null });
    const selected = only === null ? await selectedPools(options) : new Set([only]);
    for (const pool of observed.map(poolStatus).filter(({ name: one }) => selected?.has(one) ?? true)) {
      const { nodeCount, updatedCount, updatingCount, degradedCount, state, message } = pool;
      const counts = [`${updatedCount}/${nodeCount}`, String(updatingCount), String(degradedCount)];
      const line = alignRow([pool.name, state, ...counts, message]);
      if (printed.get(pool.name) === line) continue;
      printed.set(pool.name, line);
      if (format === "json") printJsonLine(pool);
      else printStdout(format === "name" ? `${formatPoolName(pool)}\n` : line);
    }
  };
  if (isTable(format)) printStdout(alignRow(header));
  await print();
  const close = openPoolFeed(await loadKubeConfig(options), () => print().catch(printError), printProblem);
  await awaitInterrupt();
  close();
}

function printProblem(problem: string | null): void {
  if (problem !== null) printStderr(problem);
}
