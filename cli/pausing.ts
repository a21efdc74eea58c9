import { poolNameIn } from "./pools/name.ts";
import { setPoolPaused } from "./pools/set-paused.ts";
import type { ClusterOptions } from "./reach/cluster-options.ts";
import { workloadArgument } from "./workloads/name.ts";
import { setPaused } from "./workloads/set-paused.ts";

/** How the argument of `pause` and `resume` is described in help. */
export const pausableArgument = `${workloadArgument}; or bootcnodepool/name, a node pool`;

/** Pauses or resumes what a person wrote: a node pool where its kind says so, and else a workload. */
export function pauseOrResume(
  written: string,
  paused: boolean,
  options: ClusterOptions & { readonly json?: true },
): Promise<void> {
  const pool = poolNameIn(written);
  return pool === null ? setPaused(written, paused, options) : setPoolPaused(pool, paused, options);
}
