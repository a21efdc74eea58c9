import { writtenImage } from "../../domain/workload/target/target.ts";
import type { StepInput } from "../../contract/workload-update.ts";
import { InputInvalid } from "../../contract/validate.ts";
import type { ImageTarget } from "../../domain/workload/target/target.ts";
import { holdByGate } from "../../domain/gates/gates.ts";
import { createScanGate } from "../../domain/gates/scan-gate.ts";
import type { UpdateStart } from "../../domain/workload/record/update-record.ts";
import { recordCanary, recordStep } from "../../domain/workload/canary/record.ts";
import type { Change } from "../../domain/workload/update/change.ts";
import { verificationFailure } from "../../domain/workload/update/verified-change.ts";
import { type Claim, type HeldClaim, withheldReason } from "../../domain/workload/update/claim.ts";
import { pinFailure } from "../../domain/workload/decision/pin.ts";
import { isPushed, preconditionFailure } from "../../domain/workload/decision/preconditions.ts";
import { supersededUpdate, supersedingChange, withPodsBefore } from "../../domain/workload/request/superseding-push.ts";
import type { ObservedStart } from "../../domain/workload/digest/record.ts";
import { parseDigests, parseManifests } from "../../domain/workload/digest/digests.ts";
import { canaryPausedEvent, updateStartedEvent } from "../../domain/workload/event/events.ts";
import { recentStartEvents } from "../../domain/workload/event/lost-events.ts";
import { isPaused, stepText } from "../../domain/workload/canary/progress.ts";
import { tagOf } from "../../domain/image/reference.ts";
import { describeOwner } from "../../domain/workload/owner/image-owner.ts";
import { startedAgain, versionToReapply } from "../../domain/workload/owner/reverts.ts";
import type { CanarySize } from "../../domain/workload/canary/canary-size.ts";
import type { Workload } from "../../domain/workload/workload.ts";
import type { Ports } from "../../contract/ports.ts";
import { emitEvent, restoreEvents } from "../emit-events.ts";
import { candidateGates, pushGates, readCandidateFacts } from "../candidate-gates.ts";
import { readOverride } from "../read-override.ts";
import { readTimeGates } from "../read-freezes.ts";

export type UpdatePorts = Pick<Ports, "cluster" | "events" | "now">;

/**
 * Reads a workload for an execution that starts. If a person pushed its version during another update, or it is newer than one that is parked,
 * that update is ended first: its execution finds that it has lost the claim.
 */
export async function readForStart({ cluster }: UpdatePorts, input: StepInput): Promise<Workload | null> {
  const workload = await cluster.read(input.workload);
  const superseded = workload === null ? null : supersededUpdate(workload, input.target, input.execution);
  if (workload === null || superseded === null) return workload;
  await cluster.change(workload, supersedingChange(workload, superseded));
  const after = await cluster.read(input.workload);
  return after === null ? null : withPodsBefore(after, superseded);
}

/** Returns why an execution must not apply its target; null if it may. What a person asked for does not wait for a freeze. With another strategy than these, it may only finish what it has claimed. */
export async function startFailure(
  { cluster, now: clock, verifier: { scopes } }: UpdatePorts & Pick<Ports, "verifier">,
  workload: Workload | null,
  claim: Claim,
  input: StepInput,
  starting: readonly StepInput["strategy"][],
): Promise<string | null> {
  if (claim.kind === "held") return withheldReason(claim.workload, claim.inFlight, input.verification, scopes);
  if (workload?.inFlight !== null || !starting.includes(input.strategy)) return claim.reason;
  const now = clock();
  const { target, verification } = input;
  const failure =
    verificationFailure(workload, target, verification, scopes) ??
    pinFailure(workload, target, verification) ??
    preconditionFailure(workload, readStart(input), now);
  if (failure !== null || target.kind === "restart") return failure;
  if (isPushed(workload, target)) {
    const gates = pushGates(target, await readCandidateFacts(cluster, workload));
    const held = holdByGate(workload, target, now, ...gates);
    const override = held === null ? null : await readOverride(cluster, workload, target, "approval");
    return override === null ? (held?.detail ?? null) : null;
  }
  return gateReason(cluster, workload, target, now);
}

/** Returns why a gate with facts holds an update, or any gate at the time of the API server; null if none does. */
export async function gateReason(
  cluster: UpdatePorts["cluster"],
  workload: Workload,
  target: StepInput["target"],
  now: Date,
): Promise<string | null> {
  const { candidates = [] } = workload;
  const judged = candidateGates(candidates, await readCandidateFacts(cluster, workload));
  const gates = [...(await readTimeGates(cluster)), ...judged, createScanGate(candidates)];
  return holdByGate(workload, target, now, ...gates)?.detail ?? null;
}

/** Claims the workload and creates its canary, in one patch on the resourceVersion that was read. */
export async function createCanary(
  ports: UpdatePorts,
  workload: Workload,
  input: StepInput,
  canary: CanarySize,
): Promise<CanaryResult> {
  const { target, execution } = input;
  const start = { ...readCanaryStart(input), ...(await readSetBack(ports, workload, input)) };
  const change = recordCanary(workload, start, execution, canary, ports.now());
  await ports.cluster.change(workload, change);
  await deleteStuckPods(ports, workload, change);
  await emitEvent(ports, workload, updateStartedEvent(target, execution, canary, startedAgain(workload, change)));
  const { canaryProgress = workload.canaryProgress } = change;
  return { reason: `a canary runs ${writtenImage(target)}`, step: stepText({ canaryProgress }) };
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

/** Writes the Event of the start of an update if this execution emitted it and it was lost. */
export async function restoreStartEvent(
  ports: Pick<Ports, "cluster" | "now">,
  { workload, inFlight }: HeldClaim,
  { adopting, execution }: Pick<StepInput, "adopting" | "execution">,
): Promise<void> {
  if (!adopting)
    await restoreEvents(ports, workload, recentStartEvents(workload.updateRecord, inFlight, execution, ports.now()));
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

/** Reads what the pods run before a restart for another digest. After it, only that may be pinned. */
export async function observeStart(
  { cluster }: Pick<Ports, "cluster">,
  workload: Workload,
  { target, manifests }: StepInput,
): Promise<ObservedStart> {
  const known = manifests === undefined ? {} : { manifests: parseManifests(manifests) };
  const isRead = target.kind === "digest" && workload.inFlight === null;
  return isRead ? { ...known, running: await cluster.runningDigests(workload) } : known;
}

/** Reads who has set back an image that an update replaces again. */
export async function readSetBack(
  { cluster, now }: Pick<Ports, "cluster" | "now">,
  workload: Workload,
  { target }: StepInput,
): Promise<Pick<UpdateStart, "setBackBy">> {
  const isReapplied = workload.inFlight === null && versionToReapply(workload, now()) === tagOf(target.image);
  const owned = isReapplied ? await cluster.readOwner(workload) : null;
  return owned === null ? {} : { setBackBy: describeOwner(owned.owner) };
}

/** Returns what the update of an execution starts with. Throws `InputInvalid` for a release, which `RestoreRelease` restores. */
export function readStart({ target, digests }: StepInput): UpdateStart {
  if (target.kind === "release")
    throw new InputInvalid(`input.target.kind: ApplyUpdate has no target of the kind release`);
  return { target, digests: digests ? parseDigests(digests) : null };
}

/** Returns what a canary starts with. Throws `InputInvalid` if its target is no image. */
export function readCanaryStart(input: StepInput): UpdateStart<ImageTarget> {
  const { target, digests } = readStart(input);
  if (target.kind !== "image")
    throw new InputInvalid(`input.target.kind: a canary has the target "image", not "${target.kind}"`);
  return { target, digests };
}
