import { exitCodes } from "../exit-codes.ts";
import { printJson, printStderr } from "../output/print.ts";
import type { ClusterOptions } from "../options/cluster.ts";
import { findAndChange } from "./change.ts";

const done = { promote: "the canary is promoted", abort: "the canary is rolled back" } as const;

/**
 * Writes a verdict for the canary in flight; its execution applies it in its next check. The exit code is 1 if there is no
 * canary. Throws the errors of finding and changing.
 */
export async function setCanaryVerdict(
  name: string,
  verdict: "promote" | "abort",
  options: ClusterOptions & { readonly json?: true },
): Promise<void> {
  const { workload, before } = await findAndChange(name, options, ({ inFlight }) =>
    inFlight?.phase === "canary" ? { verdict } : null,
  );
  if (options.json) printJson({ workload, verdict: before === null ? null : verdict });
  else if (before !== null) process.stdout.write(`${workload}: ${done[verdict]} in its next check\n`);
  if (before !== null) return;
  printStderr(`${workload}: no canary in flight`);
  process.exitCode = exitCodes.noMatch;
}
