import { Command } from "commander";
import { pausableArgument, pauseOrResume } from "../pausing.ts";
import { type ClusterOptions, withClusterOptions } from "../reach/cluster-options.ts";

export function resumeCommand(): Command {
  const command = new Command("resume").description(
    "Lets updates of a paused workload start again, from the next poll on (it takes pawl.dev/paused away), " +
      "and nodes of a paused node pool take slots again.",
  );
  return withClusterOptions(command.argument("<what>", pausableArgument))
    .option("--json", "print one JSON document")
    .addHelpText("after", "\nExamples:\n  pawl resume shop/web\n  pawl resume bootcnodepool/workers")
    .action((what: string, options: ClusterOptions) => pauseOrResume(what, false, options));
}
