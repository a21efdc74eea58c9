import { Command } from "commander";
import { pausableArgument, pauseOrResume } from "../pausing.ts";
import { type ClusterOptions, withClusterOptions } from "../reach/cluster-options.ts";

export function pauseCommand(): Command {
  const command = new Command("pause").description(
    "Lets no new update of a workload start until it is resumed (it sets pawl.dev/paused). An update in flight goes on " +
      "to its end. No node of a paused node pool takes a slot (it sets spec.rollout.paused): none is newly cordoned, drained " +
      "and rebooted; nodes that hold a slot go on.",
  );
  return withClusterOptions(command.argument("<what>", pausableArgument))
    .option("--json", "print one JSON document")
    .addHelpText("after", "\nExamples:\n  pawl pause shop/web\n  pawl pause bootcnodepool/workers")
    .action((what: string, options: ClusterOptions) => pauseOrResume(what, true, options));
}
