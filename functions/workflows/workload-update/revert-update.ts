import { recordRollback, recordWithdrawal, resumeRollback } from "../../domain/workload/rollback.ts";
import { type HeldClaim, withdrawalChange } from "../../domain/workload/claim.ts";
import { isCancelled, isOutcomeRecorded, recordedRevert } from "../../domain/workload/completion.ts";
import type { BackOff, Workload } from "../../domain/workload/workload.ts";
import type { Ports } from "../../contract/ports.ts";

/** The verdicts that say nothing about the version, and why it is tried again. */
const withdrawalReasons: Readonly<Record<string, BackOff["reason"]>> = {
  withdraw: "Withdrawn",
  "not-started": "NotStarted",
};

/**
 * Records the verdict, restores the image, deletes stuck pods of the target image, and only then releases the claim. If it is
 * interrupted, the next execution resumes from the record and finds the earlier parts done.
 */
export async function revertUpdate(
  { cluster, now }: Pick<Ports, "cluster" | "now">,
  { workload, inFlight }: HeldClaim,
  verdict: string,
  reason: string,
): Promise<void> {
  if (inFlight.phase !== "rollback") {
    const isWithdrawn = recordedRevert(workload.updateRecord, inFlight) === "Withdrawn";
    const withdrawal = withdrawalReasons[verdict] ?? (isWithdrawn ? "Withdrawn" : null);
    const change =
      withdrawal === null
        ? recordRollback(workload, inFlight, reason, now(), verdict === "abort")
        : recordWithdrawal(workload, inFlight, withdrawal, reason, now());
    await cluster.change(workload, change);
  } else if (inFlight.isApplied === false) {
    await cluster.change(workload, resumeRollback(workload, inFlight));
  }
  const current = await cluster.read(workload.ref);
  if (current?.inFlight?.phase !== "rollback") return;
  await cluster.deleteStuckPods(current, now());
  await cluster.change(current, { inFlight: null });
}

/** Removes the canary of an update that `execution` holds, if a person has changed its workload; otherwise does nothing. */
export async function withdrawCanary(
  { cluster }: Pick<Ports, "cluster">,
  workload: Workload | null,
  execution: string,
): Promise<void> {
  const change = withdrawalChange(workload, execution);
  if (workload !== null && change !== null) await cluster.change(workload, change);
}

/** Returns how the update to `image` was reverted, as its record says; null if it was not. A cancelled one is not in the history. */
export function revertResult(
  workload: Workload,
  image: string,
): "rolled-back" | "circuit-tripped" | "withdrawn" | null {
  if (isOutcomeRecorded(workload, image, "Withdrawn")) return "withdrawn";
  if (!isOutcomeRecorded(workload, image, "RolledBack") && !isCancelled(workload, image)) return null;
  return workload.policy.enabled && workload.updateRecord.circuitOpen ? "circuit-tripped" : "rolled-back";
}
