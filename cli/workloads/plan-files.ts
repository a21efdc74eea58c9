import { findImage } from "../../functions/domain/git/find-image.ts";
import { decideSync } from "../../functions/domain/workload/git/decide-sync.ts";
import { claimForGit, isSyncPending } from "../../functions/domain/workload/git/git-claim.ts";
import { recordStart } from "../../functions/domain/workload/record/update-record.ts";
import type { InFlight } from "../../functions/domain/workload/update/in-flight.ts";
import { targetOf, writeChecked } from "../../functions/workflows/workload-update/commit-pending.ts";
import type { WorkloadResult } from "../../functions/workflows/poll/process-workload.ts";
import { inPlaceDiff } from "../output/unified-diff.ts";

/** What an update writes to the files of a repository. */
export interface PlannedFiles {
  /** A unified diff; empty if nothing is written. */
  readonly diff: string;
  /** Why nothing is written; null if something is. */
  readonly reason: string | null;
}

/** Plans the commit of all updates: each writes to the files as those before it leave them. null for what is not written to git. */
export function createFilePlanner(
  read: ReadonlyMap<string, string>,
  now: Date,
): (result: WorkloadResult) => PlannedFiles | null {
  const files = new Map(read);
  return (result) => {
    const inFlight = claimOf(result, now);
    if (inFlight === null || !isSyncPending(inFlight)) return null;
    const { workload } = result;
    const target = targetOf({ workload, inFlight });
    const step = decideSync(inFlight, workload.image, findImage(files, target));
    if (step.kind !== "write") return { diff: "", reason: "reason" in step ? step.reason : "nothing is left to write" };
    const written = writeChecked(files, target, step.image);
    if (written.kind === "problem") return { diff: "", reason: written.reason };
    const diffs = [...written.files].map(([path, text]) => inPlaceDiff(path, files.get(path) ?? "", text));
    for (const [path, text] of written.files) files.set(path, text);
    return { diff: diffs.join(""), reason: null };
  };
}

/** Returns the claim as the execution of a planned update makes it, or the one that it continues. */
function claimOf(result: WorkloadResult, now: Date): InFlight | null {
  if ("error" in result) return null;
  const { workload, decision } = result;
  if (decision.kind === "adopt") return decision.inFlight;
  if (decision.kind !== "update" || decision.target.kind !== "image") return null;
  const start = recordStart(workload, { target: decision.target, digests: null }, "plan", now);
  return claimForGit(workload, start, now).inFlight;
}
