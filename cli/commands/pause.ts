import { Command } from "commander";
import { connectNodePools } from "../connect/node-pools.ts";
import { changePaused } from "../node-pools/change-pool.ts";
import { findPool } from "../node-pools/find.ts";
import { parsePoolName, formatPoolName } from "../node-pools/name.ts";
import { type ClusterOptions, type ContextOptions, withClusterOptions } from "../options/cluster.ts";
import { printJson, printStdout } from "../output/print.ts";
import { findAndChange } from "../workloads/change.ts";
import { joinKind, workloadArgument } from "../workloads/name.ts";

/** The help text of an argument that names a workload or a node pool. */
export const pauseTargetArgument = `${workloadArgument}; or bootcnodepool/name, a node pool`;

const descriptions = {
  pause:
    "Stops new updates of a workload until it is resumed (it sets spec.suspend of its AutoUpdate; before there is one, " +
    "pawl.dev/paused). An update in flight continues. No node of a paused node pool acquires a slot (it sets " +
    "spec.rollout.paused): no further node is cordoned, drained and rebooted. Nodes with a slot continue.",
  resume:
    "Allows updates of a paused workload again from the next poll on (it removes spec.suspend of its AutoUpdate, and " +
    "pawl.dev/paused). Nodes of a paused node pool acquire slots again.",
};

export function createCommand(name: keyof typeof descriptions): Command {
  const command = new Command(name).description(descriptions[name]).argument("<what...>", pauseTargetArgument);
  const examples = ["shop/web", "deployment web cart -n shop", "bootcnodepool/workers"];
  return withClusterOptions(command)
    .option("--json", "print one JSON document; a list of several")
    .addHelpText("after", `\nExamples:${examples.map((example) => `\n  pawl ${name} ${example}`).join("")}`)
    .action((what: readonly string[], options: ClusterOptions) => pauseOrResume(what, name === "pause", options));
}

interface Result {
  readonly workload: string;
  readonly paused: boolean;
  readonly changed: boolean;
}

/** Pauses or resumes workloads, and node pools where the argument has their kind, one after the other. */
async function pauseOrResume(
  words: readonly string[],
  paused: boolean,
  options: ClusterOptions & { readonly json?: true },
): Promise<void> {
  const results: Result[] = [];
  for (const target of joinKind(words)) {
    const pool = parsePoolName(target);
    const result =
      pool === null ? await setPaused(target, paused, options) : await setPoolPaused(pool, paused, options);
    results.push(result);
    if (options.json !== true) printStdout(`${result.workload}: ${describe(result, pool !== null)}\n`);
  }
  const [only, ...others] = results;
  if (options.json === true) printJson(others.length === 0 ? only : results);
}

const done = {
  paused: "paused: no node acquires a slot; nodes with a slot continue",
  resumed: "resumed: nodes acquire slots again from the next poll on",
} as const;

function describe({ paused, changed }: Result, isPool: boolean): string {
  if (!changed) return paused ? "already paused" : "not paused";
  const how = paused ? "paused" : "resumed";
  return isPool ? done[how] : how;
}

/** Pauses or resumes a workload, if it is not already so. Throws the errors of finding and changing. */
async function setPaused(target: string, paused: boolean, options: ClusterOptions): Promise<Result> {
  const { workload, before } = await findAndChange(target, options, ({ policy }) =>
    policy.paused === paused ? null : { paused },
  );
  return { workload, paused, changed: before !== null };
}

/** Sets `spec.rollout.paused`, if it is not already so. Throws the errors of finding and changing. */
async function setPoolPaused(name: string, paused: boolean, options: ContextOptions): Promise<Result> {
  const nodePools = await connectNodePools(options);
  const pool = findPool(name, await nodePools.list());
  const changed = await changePaused(nodePools, pool, paused);
  return { workload: formatPoolName(pool), paused, changed };
}
