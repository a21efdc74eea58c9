import { planRevert, revertResult } from "../../domain/workload/rollback/plan-revert.ts";
import { type Claim, type HeldClaim, withdrawalChange } from "../../domain/workload/update/claim.ts";
import { recordedAttempt } from "../../domain/workload/update/completion.ts";
import { assessRollbackOnDelete } from "../../domain/workload/on-delete/assess-rollback.ts";
import type { OnDeleteReadiness } from "../../domain/workload/on-delete/assess-on-delete.ts";
import { assessOperator, assessRollback, endRollback } from "../../domain/workload/rollback/rollback-progress.ts";
import type { Workload } from "../../domain/workload/workload.ts";
import { Conflict } from "../../ports/errors.ts";
import { isRestorePending } from "../../domain/workload/release/record-restore.ts";
import type { TaskInput, TaskOutput } from "../../contract/workload-update.ts";
import type { Ports } from "../../contract/ports.ts";
import { emitEvent, restoreEvents } from "../emit-events.ts";
import { restoreStartEvent } from "./start-update.ts";
import { superseded } from "./wait-result.ts";
import { recentEndEvents } from "../../domain/workload/event/lost-events.ts";
import { updateWithdrawnEvent, rollbackEvent } from "../../domain/workload/event/revert-events.ts";

/**
 * Records the verdict and restores the image. The claim stays until the pods run it. If it is interrupted, the next execution
 * resumes from the record and finds the earlier parts done.
 */
export async function revertUpdate(
  ports: Pick<Ports, "cluster" | "now">,
  claim: HeldClaim,
  input: TaskInput<"RollBack">,
): Promise<void> {
  await restoreStartEvent(ports, claim, input);
  const { workload, inFlight } = claim;
  const change = planRevert(workload, inFlight, input.verdict, input.reason, ports.now());
  if (change !== null) await ports.cluster.change(workload, change);
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

/** Returns the result of a rollback whose claim is released, as the workload shows it after that. */
export async function rollbackResult(
  ports: Pick<Ports, "cluster" | "now">,
  after: Workload | null,
  claim: Claim,
  { target, reason }: Pick<TaskInput<"CheckRollback">, "target" | "reason">,
): Promise<TaskOutput<"CheckRollback">> {
  const kind = after === null || after.inFlight !== null ? null : revertResult(after, target);
  if (after === null || kind === null)
    return superseded(claim.kind === "lost" ? claim.reason : "the workload has changed");
  await restoreEvents(ports, after, recentEndEvents(after, ports.now()));
  return { kind, waitSeconds: 0, reason: recordedAttempt(after, target)?.reason ?? reason };
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
  const { target } = input;
  const result = after === null ? null : revertResult(after, target);
  const isHeld = after?.inFlight?.phase === "rollback" && after.inFlight.execution === input.execution;
  if (after === null || (result === null && !isHeld)) {
    return { kind: "superseded", reason: claim.kind === "lost" ? claim.reason : "the workload has changed" };
  }
  const { execution, reason } = recordedAttempt(after, target) ?? input;
  // Only its own function may restore the pod template. This step follows it again.
  if (isRestorePending(after.inFlight)) return { kind: "restore", reason };
  const event =
    result === "withdrawn"
      ? updateWithdrawnEvent(after, target, execution, reason)
      : rollbackEvent(after, target, execution, reason);
  if (result !== null) await emitEvent(ports, after, event);
  return { kind: "reverting", reason };
}
