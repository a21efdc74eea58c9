import { printJson } from "../output/json.ts";
import type { ClusterOptions } from "../reach/cluster-options.ts";
import { changeNamed } from "./change.ts";

/** Sets `pawl.dev/paused` or takes it away. That it is so already is as good. Throws what finding and changing throw. */
export async function setPaused(
  written: string,
  paused: boolean,
  options: ClusterOptions & { readonly json?: true },
): Promise<void> {
  const { workload, before } = await changeNamed(written, options, ({ policy }) =>
    policy.paused === paused ? null : { paused },
  );
  const state = paused ? "paused" : "not paused";
  if (options.json) printJson({ workload, paused, changed: before !== null });
  else
    process.stdout.write(`${workload}: ${before === null ? `was ${state} already` : paused ? "paused" : "resumed"}\n`);
}
