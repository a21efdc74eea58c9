import { secondsBetween } from "../time.ts";
import type { Tick } from "./tick.ts";
import type { BootcNode } from "./types.ts";

/** A node that was told to reboot is not expected at any moment any more. */
const longSeconds = 900;

/** How long ago a node was last asked for an image, given a slot, told to reboot, or sent a command. Infinity where that is not known. */
export function secondsAwaited(bootcNode: BootcNode | undefined, now: Date): number {
  const { askedAt, slot, command } = bootcNode ?? {};
  const times = [askedAt, slot?.takenAt, slot?.approvedAt, command?.at];
  return Math.min(...times.map((time) => (time ? secondsBetween(time, now) : Infinity)));
}

/** Whether a node has had the time that a reboot takes, so that it may never come back. */
export function isLongAwaited(name: string, { membership, now }: Tick): boolean {
  const member = membership.members.find((candidate) => candidate.name === name);
  return secondsAwaited(member?.bootcNode, now) >= longSeconds;
}
