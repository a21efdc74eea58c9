import type { StepInput, TaskOutput, TimedStepResult } from "../../contract/workload-update.ts";
import type { Ports } from "../../contract/ports.ts";
import { promotionObstacle, promotionRecheckSeconds } from "../../domain/workload/canary/health.ts";
import { recordPromotion } from "../../domain/workload/canary/record.ts";
import { canaryPromotedEvent, updateStartedEvent } from "../../domain/workload/event/events.ts";
import { batchSeconds, claimForGit, isSyncPending } from "../../domain/workload/git/git-claim.ts";
import { startedAgain } from "../../domain/workload/owner/reverts.ts";
import { recordStart } from "../../domain/workload/record/update-record.ts";
import { describeTarget } from "../../domain/workload/target/describe-target.ts";
import { writtenImage, isRestart } from "../../domain/workload/target/target.ts";
import type { HeldClaim } from "../../domain/workload/update/claim.ts";
import { nextCheckSeconds } from "../../domain/workload/update/readiness.ts";
import { verificationFailure } from "../../domain/workload/update/verified-change.ts";
import type { Workload } from "../../domain/workload/workload.ts";
import { emitEvent } from "../emit-events.ts";
import { parkUnverified } from "./park-result.ts";
import { deleteStuckPods, observeStart, readSetBack, readStart, type UpdatePorts } from "./start-update.ts";
import { removeLeftCanary } from "./left-pods.ts";
import { superseded } from "./wait-result.ts";
import { waitForPreHook, waitForPromotionHook } from "./wait-for-hook.ts";

type Output = TaskOutput<"ApplyUpdate">;

/** Claims the workload and sets its image or restarts it, in one patch on the resourceVersion that was read; its hook runs before. */
export async function startUpdate(ports: UpdatePorts, workload: Workload, input: StepInput): Promise<Output> {
  const { target, execution } = input;
  const hook = await waitForPreHook(ports, workload, input);
  if (hook !== null) return { kind: "hook", ...hook };
  const observed = await observeStart(ports, workload, input);
  const start = { ...readStart(input), observed, ...(await readSetBack(ports, workload, input)) };
  const now = ports.now();
  const change = claimForGit(workload, recordStart(workload, start, execution, now), now);
  await ports.cluster.change(workload, change);
  await deleteStuckPods(ports, workload, change);
  await emitEvent(ports, workload, updateStartedEvent(target, execution, null, startedAgain(workload, change)));
  if (isSyncPending(change.inFlight))
    return { kind: "sync", waitSeconds: batchSeconds, reason: `waits for its commit of ${writtenImage(target)}` };
  return applied(workload, isRestart(target) ? `began the ${describeTarget(target)}` : `set ${writtenImage(target)}`);
}

/** Updates all replicas to the image of the canary that passed, unless it is not ready any more, or a hook runs before. */
export async function promoteCanary(ports: UpdatePorts, claim: HeldClaim, input: StepInput): Promise<Output> {
  const { workload, inFlight } = claim;
  const { execution, target, verification } = input;
  // While its canary runs.
  const unverified = inFlight.phase === "canary" ? verificationFailure(workload, target, verification) : null;
  if (unverified !== null) return parkUnverified(ports, claim, unverified, "not-ready");
  const obstacle = promotionObstacle(workload, inFlight);
  if (obstacle !== null) return { kind: "not-ready", waitSeconds: promotionRecheckSeconds, reason: obstacle };
  const hook = await waitForPromotionHook(ports, claim);
  if (hook !== null) return { kind: "hook", ...hook };
  const change = recordPromotion(workload, inFlight, ports.now());
  await ports.cluster.change(workload, change);
  await deleteStuckPods(ports, workload, change);
  await emitEvent(ports, workload, canaryPromotedEvent(inFlight.target, execution));
  return applied(workload, `set ${writtenImage(inFlight.target)}`);
}

/** Returns the result of a change that was written: its first check follows. */
export function applied({ policy }: Workload, reason: string): TimedStepResult<"applied"> {
  return { kind: "applied", waitSeconds: nextCheckSeconds(0, policy.healthTimeoutSeconds), reason };
}

/** Removes what keeps a workload from being updated or deleted; null if there is nothing of that kind. The pods of a canary are checked after that. */
export async function cleanUp(
  ports: Pick<Ports, "cluster" | "now">,
  workload: Workload,
): Promise<TimedStepResult<"applied" | "superseded"> | null> {
  if (workload.digests?.isBlockedByFinalizer) {
    await ports.cluster.change(workload, { removeFinalizer: true });
    return superseded("removed the finalizer that blocked the deletion");
  }
  if (!workload.isCanaryLeft) return null;
  await removeLeftCanary(ports, workload);
  const result = superseded("removed a canary whose update was not recorded any more");
  return workload.rollout?.isOnDelete ? { ...result, kind: "applied" } : result;
}
