import { openNodePools } from "../connect/node-pools.ts";
import { changePaused } from "../node-pools/change-paused.ts";
import { findPool } from "../node-pools/find.ts";
import { parsePoolName, formatPoolName } from "../node-pools/name.ts";
import type { ClusterOptions, ContextOptions } from "../options/cluster.ts";
import { printJson, printStdout } from "../output/print.ts";
import { findAndChange } from "../workloads/change.ts";
import { workloadArgument } from "../workloads/name.ts";

/** The help text of the argument of `pause` and `resume`. */
export const pauseTargetArgument = `${workloadArgument}; or bootcnodepool/name, a node pool`;

/** Pauses or resumes a node pool if the argument has its kind, otherwise a workload. */
export function pauseOrResume(
  target: string,
  paused: boolean,
  options: ClusterOptions & { readonly json?: true },
): Promise<void> {
  const pool = parsePoolName(target);
  return pool === null ? setPaused(target, paused, options) : setPoolPaused(pool, paused, options);
}

/** Pauses or resumes a workload, if it is not already so. Throws the errors of finding and changing. */
export async function setPaused(
  target: string,
  paused: boolean,
  options: ClusterOptions & { readonly json?: true },
): Promise<void> {
  const { workload, before } = await findAndChange(target, options, ({ policy }) =>
    policy.paused === paused ? null : { paused },
  );
  const already = paused ? "already paused" : "not paused";
  if (options.json) printJson({ workload, paused, changed: before !== null });
  else printStdout(`${workload}: ${before === null ? already : paused ? "paused" : "resumed"}\n`);
}

const done = {
  paused: "paused: no node acquires a slot; nodes with a slot continue",
  resumed: "resumed: nodes acquire slots again from the next poll on",
} as const;

/** Sets `spec.rollout.paused`, if it is not already so. Throws the errors of finding and changing. */
export async function setPoolPaused(
  name: string,
  paused: boolean,
  options: ContextOptions & { readonly json?: true },
): Promise<void> {
  const nodePools = await openNodePools(options);
  const pool = findPool(name, await nodePools.list());
  const changed = await changePaused(nodePools, pool, paused);
  const workload = formatPoolName(pool);
  const already = paused ? "already paused" : "not paused";
  if (options.json) printJson({ workload, paused, changed });
  else printStdout(`${workload}: ${changed ? done[paused ? "paused" : "resumed"] : already}\n`);
}
