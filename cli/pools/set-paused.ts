import { printJson } from "../output/json.ts";
import type { ContextOptions } from "../reach/cluster-options.ts";
import { openNodePools } from "../reach/node-pools.ts";
import { changePaused } from "./change-paused.ts";
import { poolNamed } from "./find.ts";
import { formatPoolName } from "./name.ts";

const done = {
  paused: "paused: no node takes a slot, those that hold one go on",
  resumed: "resumed: nodes take slots again, from the next poll on",
} as const;

/** Sets `spec.rollout.paused`. That it is so already is as good. Throws what finding and changing throw. */
export async function setPoolPaused(
  name: string,
  paused: boolean,
  options: ContextOptions & { readonly json?: true },
): Promise<void> {
  const nodePools = await openNodePools(options);
  const pool = poolNamed(name, await nodePools.list());
  const changed = await changePaused(nodePools, pool, paused);
  const workload = formatPoolName(pool);
  const already = `was ${paused ? "paused" : "not paused"} already`;
  if (options.json) printJson({ workload, paused, changed });
  else process.stdout.write(`${workload}: ${changed ? done[paused ? "paused" : "resumed"] : already}\n`);
}
