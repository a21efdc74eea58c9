import type { StepInput } from "../../contract/workload-update.ts";
import { recordStart, type UpdateTarget } from "../../domain/workload/update-record.ts";
import { recordCanary, recordPromotion, recordStep } from "../../domain/workload/canary/record.ts";
import type { Change } from "../../domain/workload/change.ts";
import { type Claim, type HeldClaim, withheldReason } from "../../domain/workload/claim.ts";
import { preconditionFailure } from "../../domain/workload/preconditions.ts";
import { supersededUpdate, supersedingChange, withPodsBefore } from "../../domain/workload/superseding-push.ts";
import { parseDigests } from "../../domain/workload/digest/digests.ts";
import {
  canaryPausedEvent,
  canaryPromotedEvent,
  restartStartedEvent,
  updateStartedEvent,
} from "../../domain/workload/events.ts";
import { recentStartEvents } from "../../domain/workload/lost-events.ts";
import { isPaused, stepText } from "../../domain/workload/canary/progress.ts";
import type { CanarySize } from "../../domain/workload/canary/canary-size.ts";
import type { Workload } from "../../domain/workload/workload.ts";
import type { Ports } from "../../contract/ports.ts";
import { emitEvent, restoreEvents } from "../emit-events.ts";

export type UpdatePorts = Pick<Ports, "cluster" | "events" | "now">;

/**
 * Reads a workload for an execution that starts. If a person pushed its version during another update, that update is ended first: its
 * execution finds that it has lost the claim.
 */
export async function readForStart({ cluster }: UpdatePorts, input: StepInput): Promise<Workload | null> {
  const workload = await cluster.read(input.workload);
  const superseded = workload === null ? null : supersededUpdate(workload, parseTarget(input), input.execution);
  if (workload === null || superseded === null) return workload;
  await cluster.change(workload, supersedingChange(workload, superseded));
  const after = await cluster.read(input.workload);
  return after === null ? null : withPodsBefore(after, superseded);
}

/** Returns why an execution must not apply its target; null if it may. `mayStart` is false if it may only finish what it has claimed. */
export function startFailure(
  workload: Workload | null,
  claim: Claim,
  input: StepInput,
  now: Date,
  mayStart = true,
): string | null {
  if (claim.kind === "held") return withheldReason(claim.workload, claim.inFlight);
  if (workload?.inFlight !== null || !mayStart) return claim.reason;
  return preconditionFailure(workload, parseTarget(input), now);
}

/** Claims the workload and sets its image or restarts it, in one patch on the resourceVersion that was read. */
export async function startUpdate(
  ports: UpdatePorts,
  workload: Workload,
  target: UpdateTarget,
  execution: string,
): Promise<string> {
  const change = recordStart(workload, target, execution, ports.now());
  await ports.cluster.change(workload, change);
  await deleteStuckPods(ports, workload, change);
  const { image, isRestart = false } = target;
  await emitEvent(
    ports,
    workload,
    isRestart ? restartStartedEvent(image, execution) : updateStartedEvent(image, execution),
  );
  return isRestart ? `restarted for ${image}` : `set ${image}`;
}

/** Claims the workload and creates its canary, in one patch on the resourceVersion that was read. */
export async function createCanary(
  ports: UpdatePorts,
  workload: Workload,
  input: StepInput,
  canary: CanarySize,
): Promise<CanaryResult> {
  const { image, execution } = input;
  const change = recordCanary(workload, parseTarget(input), execution, canary, ports.now());
  await ports.cluster.change(workload, change);
  await deleteStuckPods(ports, workload, change);
  await emitEvent(ports, workload, updateStartedEvent(image, execution, canary));
  const { canaryProgress = workload.canaryProgress } = change;
  return { reason: `a canary runs ${image}`, step: stepText({ canaryProgress }) };
}

interface CanaryResult {
  readonly reason: string;
  readonly step: string;
}

/**
 * Brings a canary in flight to its next step, or to the current one again. null if it is at its first step. A pause is announced before
 * it is recorded, so that the announcement cannot be lost: a person may have to continue it.
 */
export async function continueCanary(ports: UpdatePorts, claim: Claim): Promise<CanaryResult | null> {
  const change = claim.kind === "held" ? recordStep(claim.workload, claim.inFlight, ports.now()) : null;
  if (claim.kind === "lost" || change === null) return null;
  const { workload, inFlight } = claim;
  const { canaryProgress: begun } = change;
  if (begun && isPaused(begun)) await emitEvent(ports, workload, canaryPausedEvent(inFlight, begun));
  await ports.cluster.change(workload, change);
  await deleteStuckPods(ports, workload, { inFlight });
  const step = stepText({ canaryProgress: begun ?? workload.canaryProgress });
  return { reason: `the canary is at step ${step}`, step };
}

/** Updates all replicas to the image of the canary that passed. */
export async function promoteCanary(
  ports: UpdatePorts,
  { workload, inFlight }: HeldClaim,
  execution: string,
): Promise<string> {
  await ports.cluster.change(workload, recordPromotion(workload, inFlight, ports.now()));
  await emitEvent(ports, workload, canaryPromotedEvent(inFlight.targetImage, execution));
  return `set ${inFlight.targetImage}`;
}

/** Writes the Event of the start of an update if this execution emitted it and it was lost. */
export async function restoreStartEvent(
  ports: Pick<Ports, "cluster" | "now">,
  { workload, inFlight }: HeldClaim,
  { adopting, execution }: Pick<StepInput, "adopting" | "execution">,
): Promise<void> {
  if (!adopting) await restoreEvents(ports, workload, recentStartEvents(inFlight, execution, ports.now()));
}

/** Removes what keeps a workload from being updated or deleted, and says what; null if there is nothing of that kind. */
export async function cleanUp({ cluster }: Pick<Ports, "cluster">, workload: Workload): Promise<string | null> {
  if (workload.digests?.isBlockedByFinalizer) {
    await cluster.change(workload, { removeFinalizer: true });
    return "removed the finalizer that blocked the deletion";
  }
  if (!workload.isCanaryLeft) return null;
  await cluster.change(workload, { canary: null });
  return "removed a canary whose update was not recorded any more";
}

/** Deletes pods that earlier updates left and that block this one: those not ready since before it. Called once it is recorded. */
export async function deleteStuckPods(
  { cluster }: Pick<Ports, "cluster">,
  workload: Workload,
  { inFlight }: Pick<Change, "inFlight">,
): Promise<void> {
  const startedAt = inFlight?.startedAt ?? "malformed";
  if (startedAt !== "malformed") await cluster.deleteStuckPods(workload, startedAt);
}

/** Returns the target of an execution. */
export function parseTarget({ image, strategy, digests }: StepInput): UpdateTarget {
  return { image, isRestart: strategy === "restart", digests: digests ? parseDigests(digests) : null };
}
