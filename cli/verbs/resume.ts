import { Command } from "commander";
import { type ClusterOptions, withClusterOptions } from "../reach/cluster-options.ts";
import { workloadArgument } from "../workloads/name.ts";
import { setPaused } from "../workloads/set-paused.ts";

export function resumeCommand(): Command {
  const command = new Command("resume").description(
    "Lets updates of a paused workload start again, from the next poll on (it takes pawl.dev/paused away).",
  );
  return withClusterOptions(command.argument("<workload>", workloadArgument))
    .option("--json", "print one JSON document")
    .addHelpText("after", "\nExample:\n  pawl resume shop/web")
    .action((workload: string, options: ClusterOptions) => setPaused(workload, false, options));
}
