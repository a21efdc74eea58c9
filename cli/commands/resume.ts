import { Command } from "commander";
import { pauseTargetArgument, pauseOrResume } from "./set-paused.ts";
import { type ClusterOptions, withClusterOptions } from "../options/cluster.ts";

export function resumeCommand(): Command {
  const command = new Command("resume").description(
    "Allows updates of a paused workload again from the next poll on (it removes spec.suspend of its AutoUpdate, and " +
      "pawl.dev/paused). Nodes of a paused node pool acquire slots again.",
  );
  return withClusterOptions(command.argument("<what...>", pauseTargetArgument))
    .option("--json", "print one JSON document; a list of several")
    .addHelpText(
      "after",
      "\nExamples:\n  pawl resume shop/web\n  pawl resume deployment web cart -n shop\n  pawl resume bootcnodepool/workers",
    )
    .action((what: readonly string[], options: ClusterOptions) => pauseOrResume(what, false, options));
}
