import { Command } from "commander";
import { stringify } from "yaml";
import type { Release, Snapshot } from "../../functions/domain/workload/release/release.ts";
import type { Workload } from "../../functions/domain/workload/workload.ts";
import { openCluster } from "../connect/cluster.ts";
import { exitCodes, InvalidInput, NotFound } from "../exit-codes.ts";
import { type ClusterOptions, withClusterOptions } from "../options/cluster.ts";
import { printJson, printStderr, printStdout } from "../output/print.ts";
import { unifiedDiff } from "../output/unified-diff.ts";
import { findWorkload } from "../workloads/find.ts";
import { formatWorkloadName, workloadArgument } from "../workloads/name.ts";
import { readOrThrow } from "../workloads/read.ts";

type Options = ClusterOptions & { readonly json?: true };

export function diffCommand(): Command {
  const command = new Command("diff").description(
    "Prints the difference between the pod templates of two releases of a workload, or of a release and what runs now, as a unified " +
      "diff. The exit code is 1 if there is none.",
  );
  return withClusterOptions(command.argument("<workload>", workloadArgument))
    .argument("[a]", "the number of a release (default: the one before the newest)")
    .argument("[b]", "the number of another one (default: what runs now)")
    .option("--json", "print one JSON document: both templates")
    .addHelpText("after", "\nExamples:\n  pawl diff shop/web\n  pawl diff shop/web 1 4")
    .action(printDiff);
}

async function printDiff(name: string, a: string | undefined, b: string | undefined, options: Options): Promise<void> {
  const { cluster, namespace } = await openCluster(options);
  const workload = await readOrThrow(cluster, await findWorkload({ cluster, namespace }, name));
  const snapshots = await cluster.readSnapshots(workload);
  const from = sideOf(workload, snapshots, a ?? previousNumber(workload));
  const to = b === undefined ? runningSide(workload, snapshots) : sideOf(workload, snapshots, b);
  const diff = unifiedDiff(stringify(from.template), stringify(to.template));
  if (options.json) printJson({ from: from.label, to: to.label, before: from.template, after: to.template });
  else if (diff !== "") printStdout(`--- ${from.label}\n+++ ${to.label}\n${diff}`);
  if (diff !== "") return;
  printStderr(`${formatWorkloadName(workload.ref)}: ${from.label} and ${to.label} have the same pod template`);
  process.exitCode = exitCodes.noMatch;
}

interface Side {
  readonly label: string;
  readonly template: Snapshot["template"];
}

function previousNumber({ ref, releases }: Workload): string {
  const previous = releases?.list.at(-2) ?? releases?.list.at(-1);
  if (previous === undefined) throw new NotFound(`${formatWorkloadName(ref)} has no releases`);
  return String(previous.number);
}

/** Throws `InvalidInput` if there is no such release, and `NotFound` if its snapshot was deleted. */
function sideOf({ ref, releases }: Workload, snapshots: readonly Snapshot[], number: string): Side {
  const release = releases?.list.find((one) => String(one.number) === number);
  if (release === undefined) throw new InvalidInput(`${formatWorkloadName(ref)}: there is no release ${number}`);
  const found = snapshotOf(release, snapshots);
  if (found === undefined)
    throw new NotFound(`${formatWorkloadName(ref)}: ${release.revision} of release ${number} was deleted`);
  return { label: `release ${number} (${release.version})`, template: found.template };
}

function snapshotOf({ revision, hash }: Release, snapshots: readonly Snapshot[]): Snapshot | undefined {
  return snapshots.find((one) => one.revision === revision) ?? snapshots.find((one) => one.hash === hash);
}

function runningSide({ ref, releases }: Workload, snapshots: readonly Snapshot[]): Side {
  const found = snapshots.find(({ hash }) => hash === releases?.hash);
  if (found === undefined) throw new NotFound(`${formatWorkloadName(ref)}: its controller has no revision yet`);
  return { label: "running now", template: found.template };
}
