import { Command } from "commander";
import { pauseTargetArgument, pauseOrResume } from "./set-paused.ts";
import { type ClusterOptions, withClusterOptions } from "../options/cluster.ts";

export function pauseCommand(): Command {
  const command = new Command("pause").description(
    "Stops new updates of a workload until it is resumed (it sets spec.suspend of its AutoUpdate; before there is one, " +
      "pawl.dev/paused). An update in flight continues. No node of a paused node pool acquires a slot (it sets " +
      "spec.rollout.paused): no further node is cordoned, drained and rebooted. Nodes with a slot continue.",
  );
  return withClusterOptions(command.argument("<what...>", pauseTargetArgument))
    .option("--json", "print one JSON document; a list of several")
    .addHelpText(
      "after",
      "\nExamples:\n  pawl pause shop/web\n  pawl pause deployment web cart -n shop\n  pawl pause bootcnodepool/workers",
    )
    .action((what: readonly string[], options: ClusterOptions) => pauseOrResume(what, true, options));
}
