import { formatRfc3339 } from "../../text/rfc3339.ts";
import { summarizeList } from "../../text/summarize-list.ts";
import { drainSlot, isDrainSlow } from "../node/drain.ts";
import { withExecution, type PoolEvent } from "./event.ts";
import type { BootcNode, Member, PoolNode, Slot } from "../node/bootc-node.ts";
import { classifyNode, parseDigest, hasStagedDesiredImage } from "../node/node-state.ts";
import { planMemberStep } from "../step/node-steps.ts";
import type { PoolState } from "../pool/pool-state.ts";
import type { NodeStep } from "../step/step.ts";

/**
 * Returns the Event of a step that is about to be written; null for most steps. The key consists of what only this step
 * changes, so that a step that is repeated after a conflict or a crash is one Event.
 */
export function stepEvent({ bootcNode }: PoolNode, step: NodeStep, execution: string | null): PoolEvent | null {
  const details = describeStepEvent(bootcNode, step);
  if (details === null) return null;
  const { image, since, ...rest } = details;
  const key = [image, bootcNode?.uid, bootcNode?.generation, since].join(" ");
  return createNodeEvent({ ...rest, key }, image, execution);
}

type NodeEventDetails = Pick<PoolEvent, "type" | "reason" | "message" | "key"> & Partial<Pick<PoolEvent, "event">>;

/** Without a type of its own, the Event is not published on the bus. */
function createNodeEvent(details: NodeEventDetails, image: string, execution: string | null): PoolEvent {
  return { event: null, ...details, message: withExecution(details.message, execution), execution, image };
}

interface StepEventDetails extends Pick<PoolEvent, "type" | "reason" | "message"> {
  readonly image: string;
  /** Distinguishes Events that may repeat without a change of the spec. */
  readonly since?: string;
}

function describeStepEvent(bootcNode: BootcNode | null, step: NodeStep): StepEventDetails | null {
  if (step.kind === "create") return stagingEvent(step.desired.image);
  if (bootcNode === null) return null;
  const { desiredImage, bootedDigest, slot } = bootcNode;
  // If a rollout is cancelled, the node already runs the requested image and stages nothing.
  const isStaging =
    step.kind === "request-image" && step.isNewImage && bootedDigest !== parseDigest(step.desired.image);
  if (isStaging) return stagingEvent(step.desired.image);
  if (step.kind === "approve") return rebootingEvent(desiredImage);
  if (step.kind === "release-slot" && step.givenBack !== undefined) return givenBackEvent(bootcNode, step.givenBack);
  // A node that still has to reboot releases its slot outside a maintenance window.
  if (step.kind === "release-slot" && classifyNode(bootcNode) === "up-to-date") return idleEvent(desiredImage);
  return step.kind === "restart-drain" ? drainFailedEvent(desiredImage, step.reason, slot) : null;
}

function stagingEvent(image: string): StepEventDetails {
  return { type: "Normal", reason: "Staging", message: `Requested to stage ${image}`, image };
}

function rebootingEvent(image: string): StepEventDetails {
  return { type: "Normal", reason: "Rebooting", message: `Drained; approved to reboot into ${image}`, image };
}

function idleEvent(image: string): StepEventDetails {
  return { type: "Normal", reason: "Idle", message: `Runs ${image} and is Ready`, image };
}

function drainFailedEvent(image: string, reason: string, slot: Slot | null): StepEventDetails {
  const since = slot?.drainStartedAt ?? slot?.acquiredAt ?? null;
  const message = `${reason}: the drain for ${image} starts again`;
  return { type: "Warning", reason: "DrainFailed", message, image, since: formatTime(since) };
}

function givenBackEvent({ desiredImage: image, drainBlockedBy, slot }: BootcNode, count: number): StepEventDetails {
  const by = drainBlockedBy === null ? "" : `: ${drainBlockedBy}`;
  const message = `Not drained in time for ${image}, and gives its slot back (attempt ${count})${by}`;
  return { type: "Warning", reason: "DrainFailed", message, image, since: formatTime(slot?.acquiredAt ?? null) };
}

/**
 * Returns the Event of a slow drain whose pods cannot be evicted, and why; null if there is none. It is emitted once
 * per slot by its key, because the drain step may not record emitted Events on the node.
 */
export function evictionBlockedEvent(
  { bootcNode }: Member,
  blocked: readonly string[],
  { now, pool }: PoolState,
): PoolEvent | null {
  const { desiredImage: image } = bootcNode;
  const slot = drainSlot(bootcNode);
  if (blocked.length === 0 || slot === null || slot.acquiredAt === null || !isDrainSlow(slot, now)) return null;
  const message = `Not evicted for ${image}: ${summarizeList(blocked).join("; ")}`;
  const key = `draining=${formatRfc3339(slot.acquiredAt)}`;
  return createNodeEvent({ type: "Warning", reason: "EvictionRefused", message, key }, image, pool.execution);
}

/** Returns the Event of a drain that deletes a pod, or cannot. It is emitted once per pod and outcome. */
export function forcedDrainEvent({ bootcNode }: Member, pod: string, message: string, { pool }: PoolState): PoolEvent {
  const key = `forced=${pod}/${message.slice(0, message.indexOf(" "))}`;
  const details = { type: "Warning", reason: "DrainForced", message, key } as const;
  return createNodeEvent(details, bootcNode.desiredImage, pool.execution);
}

/** Events of a node, whose keys are recorded on it after they were emitted. */
export interface PendingNodeEvents {
  readonly node: Member;
  readonly events: readonly PoolEvent[];
}

/** Returns the Events that belong to no step and have not been emitted: an image was staged, or a drain is slow. */
export function pendingNodeEvents(poolState: PoolState, execution: string | null): readonly PendingNodeEvents[] {
  if (poolState.problems.length > 0) return [];
  return poolState.membership.members.flatMap((node) => {
    const { emittedEvents, desiredImage: image } = node.bootcNode;
    const pending = [...stagedEvents(node), ...slowDrainEvents(node, poolState)].filter(
      ({ key }) => !wasEmitted(emittedEvents, key),
    );
    const events = pending.map((details) => createNodeEvent(details, image, execution));
    return events.length === 0 ? [] : [{ node, events }];
  });
}

/** Once per request: the same image may be requested again after another. */
function stagedEvents({ bootcNode }: Member): readonly NodeEventDetails[] {
  const { desiredImage, requestedAt } = bootcNode;
  if (classifyNode(bootcNode) !== "staged" || !hasStagedDesiredImage(bootcNode)) return [];
  const key = `staged=${parseDigest(desiredImage)}/${formatTime(requestedAt)}`;
  return [{ type: "Normal", reason: "Staged", message: `Has staged ${desiredImage}`, key }];
}

/** Once per slot, and only while it waits for pods: not for another image, a window, or a halted rollout. */
function slowDrainEvents(member: Member, poolState: PoolState): readonly NodeEventDetails[] {
  const { desiredImage } = member.bootcNode;
  const slot = drainSlot(member.bootcNode);
  if (slot === null || slot.acquiredAt === null || !isDrainSlow(slot, poolState.now)) return [];
  const step = planMemberStep(member, poolState, null);
  if (step.kind !== "wait" || step.for !== "pods") return [];
  const since = formatRfc3339(slot.acquiredAt);
  const message = `Draining since ${since} for ${desiredImage}: a PodDisruptionBudget, the grace period of a pod or rollout.drain delays it`;
  return [
    { event: "Node Drain Slow", type: "Warning", reason: "DrainTakingTooLong", message, key: `draining=${since}` },
  ];
}

function formatTime(time: Date | null): string {
  return time === null ? "" : formatRfc3339(time);
}

/**
 * Reports whether an Event is among the recorded keys, such as `staged=sha256:…/2026-11-20T12:00:00Z`, separated by
 * spaces.
 */
export function wasEmitted(emittedEvents: string | null, key: string): boolean {
  return splitKeys(emittedEvents).includes(key);
}

/** Adds keys to the recorded ones: at most one of each kind is kept. */
export function recordEmitted(emittedEvents: string | null, keys: readonly string[]): string {
  const kinds = new Set(keys.map(keyKind));
  return [...splitKeys(emittedEvents).filter((key) => !kinds.has(keyKind(key))), ...keys].join(" ");
}

function splitKeys(emittedEvents: string | null): readonly string[] {
  return emittedEvents === null ? [] : emittedEvents.split(" ");
}

function keyKind(key: string): string {
  return key.slice(0, key.indexOf("="));
}
