import { Command } from "commander";
import { recordReset } from "../../functions/domain/workload/update-record.ts";
import type { UpdateRecord } from "../../functions/domain/workload/workload.ts";
import { exitCodes } from "../exit-codes.ts";
import { printJson } from "../output/print.ts";
import { printStderr } from "../output/print.ts";
import { type ClusterOptions, withClusterOptions } from "../options/cluster.ts";
import { findAndChange } from "../workloads/change.ts";
import { workloadArgument } from "../workloads/name.ts";

type Options = ClusterOptions & { readonly forgetFailed?: true; readonly json?: true };

export function resetCommand(): Command {
  const command = new Command("reset").description(
    "Closes the circuit of a workload and sets its rollback count to 0, so that updates are tried again from the next poll " +
      "on. Failed versions stay excluded without --forget-failed. The exit code is 1 if there is nothing to reset.",
  );
  return withClusterOptions(command.argument("<workload>", workloadArgument))
    .option("--forget-failed", "also allow failed versions again")
    .option("--json", "print one JSON document")
    .addHelpText("after", "\nExample:\n  pawl reset shop/web --forget-failed")
    .action(reset);
}

async function reset(written: string, options: Options): Promise<void> {
  const forgetFailed = options.forgetFailed === true;
  const { workload, before } = await findAndChange(written, options, ({ updateRecord }) =>
    describeReset(updateRecord, forgetFailed).length > 0 ? recordReset(forgetFailed) : null,
  );
  const done = before === null ? [] : describeReset(before.updateRecord, forgetFailed);
  if (options.json) printJson({ workload, done });
  else if (before !== null) process.stdout.write(`${workload}: ${done.join(", ")}\n`);
  if (before !== null) return;
  printStderr(`${workload}: there is nothing to reset`);
  process.exitCode = exitCodes.noMatch;
}

/** Returns what a reset did to this record; empty if there is nothing to reset. */
function describeReset({ circuitOpen, rollbackCount, failedVersions }: UpdateRecord, forgetFailed: boolean): string[] {
  return [
    ...(circuitOpen ? ["circuit closed"] : []),
    ...(rollbackCount > 0
      ? [`${rollbackCount} ${rollbackCount === 1 ? "rollback" : "rollbacks"} no longer counted`]
      : []),
    ...(forgetFailed && failedVersions.length > 0 ? [`forgot that ${failedVersions.join(", ")} failed`] : []),
  ];
}
