import { Command } from "commander";
import { type ClusterOptions, withClusterOptions } from "../reach/cluster-options.ts";
import { workloadArgument } from "../workloads/name.ts";
import { sayVerdict } from "../workloads/say-verdict.ts";

export function abortCommand(): Command {
  const command = new Command("abort").description(
    "Takes a canary in flight back (it sets pawl.dev/canary-verdict). Its version is not tried again, and does not count " +
      "towards the circuit. It is done at the next look at the canary. The status is 1 where no canary is in flight.",
  );
  return withClusterOptions(command.argument("<workload>", workloadArgument))
    .option("--json", "print one JSON document")
    .addHelpText("after", "\nExample:\n  pawl abort shop/web")
    .action((workload: string, options: ClusterOptions) => sayVerdict(workload, "abort", options));
}
