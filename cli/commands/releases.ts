import { Command } from "commander";
import { formatRfc3339 } from "../../functions/domain/text/rfc3339.ts";
import type { Release } from "../../functions/domain/workload/release/release.ts";
import { openCluster } from "../connect/cluster.ts";
import { exitCodes } from "../exit-codes.ts";
import { type ClusterOptions, withClusterOptions } from "../options/cluster.ts";
import { printJson, printStderr, printStdout } from "../output/print.ts";
import { renderTable } from "../output/table.ts";
import { findWorkload } from "../workloads/find.ts";
import { formatWorkloadName, workloadArgument } from "../workloads/name.ts";
import { readOrThrow } from "../workloads/read.ts";

type Options = ClusterOptions & { readonly json?: true };

const columns = [
  { header: "RELEASE" },
  { header: "VERSION" },
  { header: "RESULT" },
  { header: "BY" },
  { header: "AT" },
  { header: "SNAPSHOT", narrow: "cut" },
  { header: "ROLLED BACK FROM" },
] as const;

export function releasesCommand(): Command {
  const command = new Command("releases").description(
    "Prints the releases of a workload, newest last: the version, whether it became healthy, whether Pawl or a person made it, when, " +
      "and the ReplicaSet or ControllerRevision that has its pod template. The exit code is 1 if there are none.",
  );
  return withClusterOptions(command.argument("<workload>", workloadArgument))
    .option("--json", "print one JSON document: a list of releases")
    .addHelpText("after", "\nExample:\n  pawl releases shop/web")
    .action(printReleases);
}

async function printReleases(name: string, options: Options): Promise<void> {
  const { cluster, namespace } = await openCluster(options);
  const workload = await readOrThrow(cluster, await findWorkload({ cluster, namespace }, name));
  const list = workload.releases?.list ?? [];
  const snapshots = list.length === 0 ? [] : await cluster.readSnapshots(workload);
  const isKept = ({ revision, hash }: Release) =>
    snapshots.some((one) => one.revision === revision || one.hash === hash);
  if (options.json) printJson(list.map((release) => releaseDocument(release, isKept(release))));
  else if (list.length > 0)
    printStdout(
      renderTable(
        columns,
        list.map((one) => toRow(one, isKept(one))),
        { stream: process.stdout },
      ),
    );
  if (list.length > 0) return;
  printStderr(`${formatWorkloadName(workload.ref)}: no releases; the deployment may not record them`);
  process.exitCode = exitCodes.noMatch;
}

/** One release as `--json` prints it; null is not recorded. */
export function releaseDocument({ at, digests, rolledBackFrom, ...release }: Release, hasSnapshot: boolean) {
  return {
    ...release,
    at: formatRfc3339(at),
    digests: digests ?? null,
    rolledBackFrom: rolledBackFrom ?? null,
    hasSnapshot,
  };
}

function toRow({ number, version, result, by, at, revision, rolledBackFrom }: Release, hasSnapshot: boolean) {
  const colour = result === "Succeeded" ? "green" : "red";
  const snapshot = hasSnapshot ? revision : `${revision} (deleted)`;
  const from = rolledBackFrom === undefined ? "-" : String(rolledBackFrom);
  return [String(number), version, { text: result, colour }, by, formatRfc3339(at), snapshot, from] as const;
}
