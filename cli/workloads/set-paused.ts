import { printJson } from "../output/json.ts";
import type { ClusterOptions } from "../reach/cluster-options.ts";
import { openCluster } from "../reach/cluster.ts";
import { changeWorkload } from "./change.ts";
import { findWorkload } from "./find.ts";
import { formatWorkloadName } from "./name.ts";

/** Sets `pawl.dev/paused` or takes it away. That it is so already is as good. Throws what finding and changing throw. */
export async function setPaused(
  written: string,
  paused: boolean,
  options: ClusterOptions & { readonly json?: true },
): Promise<void> {
  const open = await openCluster(options);
  const found = await findWorkload(open, written);
  const before = await changeWorkload(open.cluster, found, ({ policy }) =>
    policy.paused === paused ? null : { paused },
  );
  const workload = formatWorkloadName(found.ref);
  const state = paused ? "paused" : "not paused";
  if (options.json) printJson({ workload, paused, changed: before !== null });
  else
    process.stdout.write(`${workload}: ${before === null ? `was ${state} already` : paused ? "paused" : "resumed"}\n`);
}
