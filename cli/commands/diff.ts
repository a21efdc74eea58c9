import { Command } from "commander";
import { connectCluster } from "../connect/cluster.ts";
import { exitCodes } from "../exit-codes.ts";
import { type ClusterOptions, withClusterOptions } from "../options/cluster.ts";
import { formatOf, type OutputOptions, withOutputOptions } from "../options/output.ts";
import { printAs } from "../output/document.ts";
import { printStderr } from "../output/print.ts";
import { diffReleases } from "../workloads/diff-releases.ts";
import { findWorkload } from "../workloads/find.ts";
import { formatWorkloadName, workloadArgument } from "../workloads/name.ts";
import { readOrThrow } from "../workloads/read.ts";

type Options = ClusterOptions & OutputOptions;

export function createCommand(): Command {
  const command = new Command("diff").description(
    "Prints the difference between the pod templates of two releases of a workload, or of a release and what runs now, as a unified " +
      "diff. The exit code is 1 if there is none.",
  );
  const connected = withClusterOptions(command.argument("<workload>", workloadArgument))
    .argument("[a]", "the number of a release (default: the one before the newest)")
    .argument("[b]", "the number of another one (default: what runs now)");
  return withOutputOptions(connected, "both templates", ["json", "yaml"])
    .addHelpText("after", "\nExamples:\n  pawl diff shop/web\n  pawl diff shop/web 1 4")
    .action(printDiff);
}

async function printDiff(name: string, a: string | undefined, b: string | undefined, options: Options): Promise<void> {
  const opened = await connectCluster(options);
  const { cluster } = opened;
  const workload = await readOrThrow(cluster, await findWorkload(opened, name));
  const { from, to, text } = diffReleases(workload, await cluster.readSnapshots(workload), a, b);
  await printAs(formatOf(options), {
    document: { from: from.label, to: to.label, before: from.template, after: to.template },
    names: [formatWorkloadName(workload.ref)],
    table: () => text,
  });
  if (text !== "") return;
  printStderr(`${formatWorkloadName(workload.ref)}: ${from.label} and ${to.label} have the same pod template`);
  process.exitCode = exitCodes.noMatch;
}
