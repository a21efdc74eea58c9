import { secondsBetween } from "../../text/rfc3339.ts";
import { willStayUp } from "../step/slots.ts";
import type { BootcNode, Member } from "./bootc-node.ts";
import type { NodePoolSpec } from "../pool/node-pool.ts";

export type Soak = Pick<NodePoolSpec, "minReadySeconds">;

/**
 * Returns when a slot holder was first seen on its image after its reboot; null if it has not been, and without a slot. A time
 * before the approval, or before the image was requested, belongs to an earlier reboot.
 */
export function bootRecordedAt({ slot, requestedAt }: Pick<BootcNode, "slot" | "requestedAt">): Date | null {
  const { bootedAt = null, approvedAt = null } = slot ?? {};
  const isEarlier = [approvedAt, requestedAt].some((time) => bootedAt !== null && time !== null && bootedAt < time);
  return isEarlier ? null : bootedAt;
}

/** Returns for how many seconds a slot holder that runs its image must still stay Ready before it releases its slot. */
export function soakSecondsLeft(
  { node, bootcNode }: Omit<Member, "name">,
  { minReadySeconds }: Soak,
  now: Date,
): number {
  const bootedAt = bootRecordedAt(bootcNode);
  if (bootedAt === null) return minReadySeconds;
  const times = [bootedAt, ...(node.readyChangedAt === null ? [] : [node.readyChangedAt])];
  // The clock of a node that has just booted may be ahead: a time in the future is ignored.
  const elapsed = times.map((time) => secondsBetween(time, now)).filter((seconds) => seconds >= 0);
  return Math.max(0, minReadySeconds - Math.min(...elapsed));
}

/**
 * Reports whether a slot holder has been on its image for so short a time that it may still become Ready. One that may
 * reboot has not ended the reboot to this image, or to the one that was requested before.
 */
export function isComingBack(bootcNode: BootcNode, { minReadySeconds }: Soak, now: Date): boolean {
  const bootedAt = bootRecordedAt(bootcNode);
  if (bootedAt === null) return minReadySeconds > 0 || !willStayUp(bootcNode);
  return secondsBetween(bootedAt, now) < minReadySeconds;
}
