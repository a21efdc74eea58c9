import { Command } from "commander";
import { type ClusterOptions, withClusterOptions } from "../options/cluster.ts";
import { workloadArgument } from "../workloads/name.ts";
import { setCanaryVerdict } from "../workloads/set-verdict.ts";

export function abortCommand(): Command {
  const command = new Command("abort").description(
    "Rolls back the canary in flight (it sets pawl.dev/canary-verdict), in its next check. Its version is not tried again and " +
      "does not count towards the circuit. The exit code is 1 if no canary is in flight.",
  );
  return withClusterOptions(command.argument("<workload>", workloadArgument))
    .option("--json", "print one JSON document")
    .addHelpText("after", "\nExample:\n  pawl abort shop/web")
    .action((workload: string, options: ClusterOptions) => setCanaryVerdict(workload, "abort", options));
}
