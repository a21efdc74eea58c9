import { planRevert, revertResult } from "../../domain/workload/rollback/plan-revert.ts";
import { type Claim, type HeldClaim, withdrawalChange } from "../../domain/workload/update/claim.ts";
import { recordedAttempt } from "../../domain/workload/update/completion.ts";
import { assessRollbackOnDelete } from "../../domain/workload/on-delete/assess-rollback.ts";
import { controlOf, type OnDeleteReadiness } from "../../domain/workload/on-delete/assess-on-delete.ts";
import type { RolledPod } from "../../domain/workload/on-delete/pod.ts";
import { isSyncPending } from "../../domain/workload/git/git-claim.ts";
import type { Evidence } from "../../domain/health/evidence.ts";
import { nextObservation } from "../../domain/workload/policy/observation.ts";
import { assessControl, concludeControl, hasRecovered } from "../../domain/workload/rollback/control.ts";
import type { Change } from "../../domain/workload/update/change.ts";
import { type InFlight, observe, type Rollback, type Suspect } from "../../domain/workload/update/in-flight.ts";
import type { Readiness } from "../../domain/workload/update/readiness.ts";
import { judgePods } from "../../domain/workload/update/judge-pods.ts";
import {
  assessOperator,
  assessRollback,
  endRollback,
  failRollback,
} from "../../domain/workload/rollback/rollback-progress.ts";
import type { Workload } from "../../domain/workload/workload.ts";
import { Conflict } from "../../ports/errors.ts";
import { isRestorePending } from "../../domain/workload/release/record-restore.ts";
import type { TaskInput, TaskOutput } from "../../contract/workload-update.ts";
import type { Ports } from "../../contract/ports.ts";
import { emitEvent, restoreEvents } from "../emit-events.ts";
import { restoreStartEvent } from "./start-update.ts";
import type { ObservedClaim } from "./observe-claim.ts";
import { removeLeftCanary } from "./left-pods.ts";
import { superseded } from "./wait-result.ts";
import { writeRevert } from "./write-revert.ts";
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
  const { pods } = hasRecovered(workload, inFlight) ? await ports.cluster.countUnavailablePods(workload) : { pods: [] };
  await writeRevert(ports, workload, inFlight, input.reason, (of, claimed, reason) =>
    planRevert(of, claimed, input.verdict, reason, ports.now(), pods),
  );
}

type RollbackPorts = Pick<Ports, "cluster" | "events" | "now">;

/** Deletes the pods that would never become ready and, once the others have or the deadline has passed, releases the claim. */
export async function finishRollback(
  ports: RollbackPorts,
  { workload, inFlight, pods: observed }: ObservedClaim,
  executionStartedAt: string,
): Promise<RollbackCheck> {
  const { cluster, now } = ports;
  const unchanged = await freeStuckPods(cluster, workload);
  const pods = workload.rollout?.isOnDelete ? await cluster.listPods(workload) : null;
  const failure = observed && judgePods(workload, inFlight, observed.pods, now());
  const byCounts =
    unchanged !== null
      ? assessOperator(workload, new Date(executionStartedAt), unchanged, now())
      : pods !== null
        ? assessRollbackOnDelete(workload, inFlight, pods, now())
        : assessRollback(workload, inFlight, now());
  const readiness = failure === null ? byCounts : failRollback(byCounts, inFlight, failure);
  if (readiness.kind === "roll") return readiness;
  if (inFlight.phase === "rollback" && inFlight.suspect !== undefined) {
    const failing = readiness.kind === "ready" ? await readControl(cluster, workload, pods) : [];
    return checkControl(ports, workload, inFlight, inFlight.suspect, readiness, failing);
  }
  if (readiness.kind === "progressing") {
    const observation = nextObservation(workload, readiness, now());
    return { ...readiness, noted: observation && { observation } };
  }
  await cluster.change(
    workload,
    endRollback(workload, inFlight, readiness.kind === "expired" ? readiness.reason : null),
  );
  return readiness;
}

/** What a check of a rollback shows. `noted`: what has to be written before the next check. */
type RollbackCheck =
  | Exclude<OnDeleteReadiness, { readonly kind: "progressing" }>
  | (Extract<OnDeleteReadiness, { readonly kind: "progressing" }> & { readonly noted: Change | null });

/** Returns the pods of the restored version that have failed since the update began. */
async function readControl(cluster: Ports["cluster"], workload: Workload, rolled: readonly RolledPod[] | null) {
  return rolled === null ? (await cluster.countUnavailablePods(workload)).control : controlOf(rolled, true);
}

/** Assesses the restored version as the control of a suspected target, and records what it shows. */
async function checkControl(
  ports: RollbackPorts,
  workload: Workload,
  inFlight: Rollback,
  suspected: Suspect,
  readiness: Readiness,
  failing: readonly Evidence[],
): Promise<RollbackCheck> {
  const now = ports.now();
  const control = assessControl(workload, inFlight, suspected, readiness, failing, now);
  if (control.kind !== "pending") {
    const change = concludeControl(workload, inFlight, suspected, control, now);
    await ports.cluster.change(workload, change);
    const { backOff = null } = change;
    const { target } = inFlight;
    if (control.kind === "unproven")
      await emitEvent(ports, workload, updateWithdrawnEvent({ backOff }, target, suspected.execution, control.reason));
    return { kind: "ready" };
  }
  const { waitSeconds, reason, suspect } = control;
  const observation = nextObservation(workload, readiness, now);
  const isNoted = suspect.readySince?.getTime() === suspected.readySince?.getTime() && observation === null;
  const observed = observation === null ? inFlight : observe(inFlight, observation);
  return {
    kind: "progressing",
    waitSeconds,
    reason,
    noted: isNoted ? null : { inFlight: { ...observed, suspect } as InFlight },
  };
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

/** Returns the result of a rollback whose claim is released, as the workload shows it after that. What marks its canary is removed with the last pod. */
export async function rollbackResult(
  ports: Pick<Ports, "cluster" | "now">,
  after: Workload | null,
  claim: Claim,
  { target, reason }: Pick<TaskInput<"CheckRollback">, "target" | "reason">,
): Promise<TaskOutput<"CheckRollback">> {
  if (after?.isCanaryLeft && after.rollout?.isOnDelete) await removeLeftCanary(ports, after);
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
  const rollback = after?.inFlight?.phase === "rollback" ? after.inFlight : null;
  const isHeld = rollback?.execution === input.execution;
  if (after !== null && isHeld && rollback?.suspect !== undefined) {
    const { reason, execution } = rollback.suspect;
    await emitEvent(ports, after, rollbackEvent(after, target, execution, reason));
    return { kind: isSyncPending(rollback) ? "sync" : "reverting", reason };
  }
  const result = after === null ? null : revertResult(after, target);
  if (after === null || (result === null && !isHeld)) {
    return { kind: "superseded", reason: claim.kind === "lost" ? claim.reason : "the workload has changed" };
  }
  const { execution, reason } = recordedAttempt(after, target) ?? input;
  // Only its own function may restore the pod template. This step follows it again.
  if (isRestorePending(after.inFlight)) return { kind: "restore", reason };
  const event =
    after.updateRecord.versionHistory.at(-1)?.status === "Withdrawn"
      ? updateWithdrawnEvent(after, target, execution, reason)
      : rollbackEvent(after, target, execution, reason);
  if (result !== null) await emitEvent(ports, after, event);
  return { kind: isHeld && isSyncPending(rollback) ? "sync" : "reverting", reason };
}
