import { Command } from "commander";
import { recordReset } from "../../functions/domain/bookkeeping.ts";
import type { Bookkeeping } from "../../functions/domain/workload.ts";
import { exitCodes } from "../exit.ts";
import { printJson } from "../output/json.ts";
import { say } from "../output/say.ts";
import { type ClusterOptions, withClusterOptions } from "../reach/cluster-options.ts";
import { changeNamed } from "../workloads/change.ts";
import { workloadArgument } from "../workloads/name.ts";

type Options = ClusterOptions & { readonly forgetFailed?: true; readonly json?: true };

export function resetCommand(): Command {
  const command = new Command("reset").description(
    "Closes the circuit of a workload and sets its count of rollbacks to 0, so that updates are tried again from the " +
      "next poll on. Versions that have failed stay excluded, unless they are to be forgotten. The status is 1 where " +
      "there is nothing to reset.",
  );
  return withClusterOptions(command.argument("<workload>", workloadArgument))
    .option("--forget-failed", "let versions that have failed be tried again")
    .option("--json", "print one JSON document")
    .addHelpText("after", "\nExample:\n  pawl reset shop/web --forget-failed")
    .action(reset);
}

async function reset(written: string, options: Options): Promise<void> {
  const forgetFailed = options.forgetFailed === true;
  const { workload, before } = await changeNamed(written, options, ({ bookkeeping }) =>
    describeReset(bookkeeping, forgetFailed).length > 0 ? recordReset(forgetFailed) : null,
  );
  const done = before === null ? [] : describeReset(before.bookkeeping, forgetFailed);
  if (options.json) printJson({ workload, done });
  else if (before !== null) process.stdout.write(`${workload}: ${done.join(", ")}\n`);
  if (before !== null) return;
  say(`${workload}: there is nothing to reset`);
  process.exitCode = exitCodes.nothing;
}

/** What a reset does to this bookkeeping, said in the past. */
function describeReset({ circuitOpen, rollbackCount, failedVersions }: Bookkeeping, forgetFailed: boolean): string[] {
  return [
    ...(circuitOpen ? ["circuit closed"] : []),
    ...(rollbackCount > 0
      ? [`${rollbackCount} ${rollbackCount === 1 ? "rollback" : "rollbacks"} no longer counted`]
      : []),
    ...(forgetFailed && failedVersions.length > 0 ? [`forgot that ${failedVersions.join(", ")} failed`] : []),
  ];
}
