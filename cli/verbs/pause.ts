import { Command } from "commander";
import { type ClusterOptions, withClusterOptions } from "../reach/cluster-options.ts";
import { workloadArgument } from "../workloads/name.ts";
import { setPaused } from "../workloads/set-paused.ts";

export function pauseCommand(): Command {
  const command = new Command("pause").description(
    "Lets no new update of a workload start until it is resumed (it sets pawl.dev/paused). An update in flight goes on " +
      "to its end.",
  );
  return withClusterOptions(command.argument("<workload>", workloadArgument))
    .option("--json", "print one JSON document")
    .addHelpText("after", "\nExample:\n  pawl pause shop/web")
    .action((workload: string, options: ClusterOptions) => setPaused(workload, true, options));
}
