import { recordRollback, recordWithdrawal, resumeRollback } from "../../domain/workload/rollback.ts";
import { type Claim, type HeldClaim, withdrawalChange } from "../../domain/workload/claim.ts";
import { mayOpenCircuit } from "../../domain/workload/lost-events.ts";
import { isCancelled, isOutcomeRecorded, recordedAttempt, recordedRevert } from "../../domain/workload/completion.ts";
import { assessRollbackOnDelete } from "../../domain/workload/on-delete/assess-rollback.ts";
import type { OnDeleteReadiness } from "../../domain/workload/on-delete/assess-on-delete.ts";
import { assessOperator, assessRollback, endRollback } from "../../domain/workload/rollback-progress.ts";
import type { BackOff, Workload } from "../../domain/workload/workload.ts";
import { Conflict } from "../../ports/errors.ts";
import { rollbackEvent, updateWithdrawnEvent } from "../../domain/workload/events.ts";
import { isRestorePending } from "../../domain/workload/release/record-restore.ts";
import type { TaskInput, TaskOutput } from "../../contract/workload-update.ts";
import type { Ports } from "../../contract/ports.ts";
import { emitEvent } from "../emit-events.ts";

/** The verdicts that say nothing about the version, and why it is tried again. */
const withdrawalReasons: Readonly<Record<string, BackOff["reason"]>> = {
  withdraw: "Withdrawn",
  "not-started": "NotStarted",
  // The hook before a promotion.
  "no-result": "HookFailed",
  // The function of its state is not deployed any more.
  disabled: "HookFailed",
};

/**
 * Records the verdict and restores the image. The claim stays until the pods run it. If it is interrupted, the next execution
 * resumes from the record and finds the earlier parts done.
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
  } else if (inFlight.isApplied === false && inFlight.release === undefined) {
    await cluster.change(workload, resumeRollback(workload, inFlight, now()));
  }
}

/** Deletes the pods that would never become ready and, once the others have or the deadline has passed, releases the claim. */
export async function finishRollback(
  { cluster, now }: Pick<Ports, "cluster" | "now">,
  { workload, inFlight }: HeldClaim,
  executionStartedAt: string,
): Promise<OnDeleteReadiness> {
  const unchanged = await freeStuckPods(cluster, workload);
  const pods = workload.rollout?.isOnDelete ? await cluster.listPods(workload) : null;
  const readiness =
    unchanged !== null
      ? assessOperator(workload, new Date(executionStartedAt), unchanged, now())
      : pods !== null
        ? assessRollbackOnDelete(workload, inFlight, pods, now())
        : assessRollback(workload, inFlight, now());
  if (readiness.kind === "progressing" || readiness.kind === "roll") return readiness;
  await cluster.change(
    workload,
    endRollback(workload, inFlight, readiness.kind === "expired" ? readiness.reason : null),
  );
  return readiness;
}

/** Deletes the pods that would never become ready. Returns why not, if the operator of a Claw has not changed their template yet. */
async function freeStuckPods(cluster: Ports["cluster"], workload: Workload): Promise<string | null> {
  try {
    await cluster.deleteStuckPods(workload, null);
    return null;
  } catch (error) {
    if (error instanceof Conflict && workload.failsWithoutPods) return error.message;
    throw error;
  }
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

/** Reports the revert of an update, as the workload shows it after that, and returns the result of the step. */
export async function reportRevert(
  ports: Ports,
  after: Workload | null,
  claim: Claim,
  input: TaskInput<"RollBack">,
): Promise<TaskOutput<"RollBack">> {
  const { image } = input;
  const result = after === null ? null : revertResult(after, image);
  const isHeld = after?.inFlight?.phase === "rollback" && after.inFlight.execution === input.execution;
  if (after === null || (result === null && !isHeld)) {
    return { kind: "superseded", reason: claim.kind === "lost" ? claim.reason : "the workload has changed" };
  }
  const { execution, reason } = recordedAttempt(after, image) ?? input;
  // Only its own function may restore the pod template. This step follows it again.
  if (isRestorePending(after.inFlight)) return { kind: "restore", reason };
  const event =
    result === "withdrawn"
      ? updateWithdrawnEvent(after, image, execution, reason)
      : rollbackEvent(after, image, execution, reason);
  if (result !== null) await emitEvent(ports, after, event);
  return { kind: "reverting", reason };
}

/**
 * Returns how the update to `image` was reverted, as its record says, whether its claim is released yet or not; null if it was not.
 * A cancelled one is not in the history.
 */
export function revertResult(current: Workload, image: string): "rolled-back" | "circuit-tripped" | "withdrawn" | null {
  const workload = current.inFlight?.phase === "rollback" ? { ...current, inFlight: null } : current;
  const { circuitOpen, versionHistory } = workload.updateRecord;
  const last = versionHistory.at(-1);
  if (isOutcomeRecorded(workload, image, "Withdrawn")) return "withdrawn";
  if (isOutcomeRecorded(workload, image, "RollbackFailed")) return "circuit-tripped";
  if (!isOutcomeRecorded(workload, image, "RolledBack") && !isCancelled(workload, image)) return null;
  const isOpened = circuitOpen && last !== undefined && mayOpenCircuit(last);
  return workload.policy.enabled && isOpened ? "circuit-tripped" : "rolled-back";
}
