import { Command } from "commander";
import { type ClusterOptions, withClusterOptions } from "../options/cluster.ts";
import { workloadArgument } from "../workloads/name.ts";
import { setCanaryVerdict } from "../workloads/set-verdict.ts";

export function promoteCommand(): Command {
  const command = new Command("promote").description(
    "Rolls the image of the canary in flight out to all replicas regardless of its analysis (it sets " +
      "pawl.dev/canary-verdict), in its next check. The exit code is 1 if no canary is in flight.",
  );
  return withClusterOptions(command.argument("<workload>", workloadArgument))
    .option("--json", "print one JSON document")
    .addHelpText("after", "\nExample:\n  pawl promote shop/web")
    .action((workload: string, options: ClusterOptions) => setCanaryVerdict(workload, "promote", options));
}
