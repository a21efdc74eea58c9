import { Command } from "commander";
import { type ClusterOptions, withClusterOptions } from "../reach/cluster-options.ts";
import { workloadArgument } from "../workloads/name.ts";
import { sayVerdict } from "../workloads/say-verdict.ts";

export function promoteCommand(): Command {
  const command = new Command("promote").description(
    "Brings the image of a canary in flight to all replicas, whatever its analysis says (it sets " +
      "pawl.dev/canary-verdict). It is done at the next look at the canary. The status is 1 where no canary is in flight.",
  );
  return withClusterOptions(command.argument("<workload>", workloadArgument))
    .option("--json", "print one JSON document")
    .addHelpText("after", "\nExample:\n  pawl promote shop/web")
    .action((workload: string, options: ClusterOptions) => sayVerdict(workload, "promote", options));
}
