import { exitCodes } from "../exit.ts";
import { printJson } from "../output/json.ts";
import { say } from "../output/say.ts";
import type { ClusterOptions } from "../reach/cluster-options.ts";
import { changeNamed } from "./change.ts";

const done = { promote: "the canary is promoted", abort: "the canary is taken back" } as const;

/**
 * Writes what a person says of the canary in flight; its execution does it at its next look. The status is 1 where there
 * is no canary. Throws what finding and changing throw.
 */
export async function sayVerdict(
  written: string,
  verdict: "promote" | "abort",
  options: ClusterOptions & { readonly json?: true },
): Promise<void> {
  const { workload, before } = await changeNamed(written, options, ({ inFlight }) =>
    inFlight?.phase === "canary" ? { verdict } : null,
  );
  if (options.json) printJson({ workload, verdict: before === null ? null : verdict });
  else if (before !== null) process.stdout.write(`${workload}: ${done[verdict]} at its next look\n`);
  if (before !== null) return;
  say(`${workload}: no canary is in flight`);
  process.exitCode = exitCodes.nothing;
}
