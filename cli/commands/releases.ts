import { Command } from "commander";
import { formatRfc3339 } from "../../functions/domain/text/rfc3339.ts";
import { findSnapshot } from "../../functions/domain/workload/release/find-snapshot.ts";
import type { Release } from "../../functions/domain/workload/release/release.ts";
import { connectCluster } from "../connect/cluster.ts";
import { exitCodes } from "../exit-codes.ts";
import { type ClusterOptions, withClusterOptions } from "../options/cluster.ts";
import { formatOf, type OutputOptions, withOutputOptions } from "../options/output.ts";
import { printAs } from "../output/document.ts";
import { printStderr } from "../output/print.ts";
import { renderTable } from "../output/table.ts";
import { findWorkload } from "../workloads/find.ts";
import { formatWorkloadName, workloadArgument } from "../workloads/name.ts";
import { readOrThrow } from "../workloads/read.ts";

type Options = ClusterOptions & OutputOptions;

const columns = [
  { header: "RELEASE" },
  { header: "VERSION" },
  { header: "RESULT" },
  { header: "BY" },
  { header: "AT" },
  { header: "SNAPSHOT", narrow: "cut" },
  { header: "ROLLED BACK FROM" },
] as const;

export function createCommand(): Command {
  const command = new Command("releases").description(
    "Prints the releases of a workload, newest last: the version, whether it became healthy, whether Pawl or a person made it, when, " +
      "and the ReplicaSet or ControllerRevision that has its pod template. The exit code is 1 if there are none.",
  );
  const connected = withClusterOptions(command.argument("<workload>", workloadArgument));
  return withOutputOptions(connected, "a list of releases", ["json", "yaml", "name"])
    .addHelpText("after", "\nExamples:\n  pawl releases shop/web\n  pawl releases shop/web -o yaml")
    .action(printReleases);
}

async function printReleases(name: string, options: Options): Promise<void> {
  const opened = await connectCluster(options);
  const { cluster } = opened;
  const workload = await readOrThrow(cluster, await findWorkload(opened, name));
  const list = workload.releases?.list ?? [];
  const snapshots = list.length === 0 ? [] : await cluster.readSnapshots(workload);
  const isKept = (release: Release) => findSnapshot(workload, snapshots, release).kind === "found";
  await printAs(formatOf(options), {
    document: list.map((release) => releaseDocument(release, isKept(release))),
    names: list.map(({ number }) => String(number)),
    table: () => {
      const rows = list.map((one) => toRow(one, isKept(one)));
      return renderTable(columns, rows, { stream: process.stdout });
    },
  });
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
  const snapshot = hasSnapshot ? revision : `${revision} (none)`;
  const from = rolledBackFrom === undefined ? "-" : String(rolledBackFrom);
  return [String(number), version, { text: result, colour }, by, formatRfc3339(at), snapshot, from] as const;
}
