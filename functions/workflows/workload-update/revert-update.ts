import { recordRollback, resumeRollback } from "../../domain/workload/rollback.ts";
import type { StepResult } from "../../contract/workload-update.ts";
import { type Claim, type HeldClaim, withdrawalChange } from "../../domain/workload/claim.ts";
import { isCancelled, isOutcomeRecorded } from "../../domain/workload/completion.ts";
import type { Workload } from "../../domain/workload/workload.ts";
import type { Ports } from "../../contract/ports.ts";

/**
 * Records the rollback, restores the image, deletes stuck pods of the failed image, and only then releases the claim. If it is
 * interrupted, the next execution resumes from the record and finds the earlier parts done.
 */
export async function revertUpdate(
  { cluster, now }: Pick<Ports, "cluster" | "now">,
  { workload, inFlight }: HeldClaim,
  reason: string,
  isAborted: boolean,
): Promise<void> {
  if (inFlight.phase !== "rollback") {
    await cluster.change(workload, recordRollback(workload, inFlight, reason, now(), isAborted));
  } else if (inFlight.isApplied === false) {
    await cluster.change(workload, resumeRollback(workload, inFlight));
  }
  await cluster.deleteStuckPods(workload, inFlight.targetImage);
  const current = await cluster.read(workload.ref);
  if (current?.inFlight?.phase === "rollback") await cluster.change(current, { inFlight: null });
}

/** Releases a claim whose change the cluster refused, and blames nothing. A change that was written stays. */
export async function releaseRefused(
  ports: Pick<Ports, "cluster" | "now">,
  claim: Claim,
  reason: string,
): Promise<StepResult<"refused" | "superseded">> {
  if (claim.kind === "lost") return { kind: "superseded", reason: claim.reason };
  const isWritten = claim.inFlight.phase !== "rollback" && claim.inFlight.isApplied !== false;
  if (!isWritten) await revertUpdate(ports, claim, reason, false);
  return { kind: "refused", reason };
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

/** Reports whether the update to `image` was reverted or cancelled. */
export function isReverted(workload: Workload, image: string): boolean {
  return isOutcomeRecorded(workload, image, "RolledBack") || isCancelled(workload, image);
}
