import { secondsBetween } from "../../text/rfc3339.ts";
import { willStayUp } from "../step/slots.ts";
import type { BootcNode, Member, Slot } from "./bootc-node.ts";
import type { NodePoolSpec } from "../pool/node-pool.ts";

export type Soak = Pick<NodePoolSpec, "minReadySeconds">;

/**
 * Returns when a slot holder was first seen on its image after its reboot; null if it has not been. A time before the
 * approval belongs to an earlier reboot.
 */
export function bootRecordedAt({ bootedAt, approvedAt }: Slot): Date | null {
  return bootedAt !== null && approvedAt !== null && bootedAt < approvedAt ? null : bootedAt;
}

/** Returns for how many seconds a slot holder that runs its image must still stay Ready before it releases its slot. */
export function soakSecondsLeft({ node, bootcNode }: Member, { minReadySeconds }: Soak, now: Date): number {
  const bootedAt = bootcNode.slot === null ? null : bootRecordedAt(bootcNode.slot);
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
export function isComingBack(bootcNode: BootcNode, slot: Slot, { minReadySeconds }: Soak, now: Date): boolean {
  const bootedAt = bootRecordedAt(slot);
  if (bootedAt === null) return minReadySeconds > 0 || !willStayUp(bootcNode);
  return secondsBetween(bootedAt, now) < minReadySeconds;
}
