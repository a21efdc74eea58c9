import { stringify } from "yaml";
import { previousRelease } from "../../functions/domain/workload/release/choose-release.ts";
import { findSnapshot } from "../../functions/domain/workload/release/find-snapshot.ts";
import type { Snapshot } from "../../functions/domain/workload/release/release.ts";
import type { Workload } from "../../functions/domain/workload/workload.ts";
import { InvalidInput, NotFound } from "../exit-codes.ts";
import { unifiedDiff } from "../output/unified-diff.ts";
import { formatWorkloadName } from "./name.ts";

interface Side {
  readonly label: string;
  readonly template: Snapshot["template"];
}

interface ReleaseDiff {
  readonly from: Side;
  readonly to: Side;
  /** A unified diff with the names of both sides; empty if they are equal. */
  readonly text: string;
}

/**
 * Compares the pod templates of two releases. Without `a`, `from` is the newest that succeeded and does not run, and without `b`, `to` is what runs.
 * Throws `InvalidInput` if there is no such release, and `NotFound` if its snapshot was deleted.
 */
export function diffReleases(
  workload: Workload,
  snapshots: readonly Snapshot[],
  a: string | undefined,
  b: string | undefined,
): ReleaseDiff {
  const from = sideOf(workload, snapshots, a ?? previousNumber(workload));
  const to = b === undefined ? runningSide(workload, snapshots) : sideOf(workload, snapshots, b);
  const diff = unifiedDiff(stringify(from.template), stringify(to.template));
  return { from, to, text: diff === "" ? "" : `--- ${from.label}\n+++ ${to.label}\n${diff}` };
}

function previousNumber(workload: Workload): string {
  const previous = previousRelease(workload) ?? workload.releases?.list.at(-1);
  if (previous === undefined) throw new NotFound(`${formatWorkloadName(workload.ref)} has no releases`);
  return String(previous.number);
}

function sideOf(workload: Workload, snapshots: readonly Snapshot[], number: string): Side {
  const { ref, releases } = workload;
  const release = releases?.list.find((one) => String(one.number) === number);
  if (release === undefined) throw new InvalidInput(`${formatWorkloadName(ref)}: there is no release ${number}`);
  const found = findSnapshot(workload, snapshots, release);
  if (found.kind === "missing") throw new NotFound(`${formatWorkloadName(ref)}: release ${number} ${found.reason}`);
  return { label: `release ${number} (${release.version})`, template: found.snapshot.template };
}

function runningSide({ ref, releases }: Workload, snapshots: readonly Snapshot[]): Side {
  const found = snapshots.find(({ hash }) => hash === releases?.hash);
  if (found === undefined) throw new NotFound(`${formatWorkloadName(ref)}: its controller has no revision yet`);
  return { label: "running now", template: found.template };
}
