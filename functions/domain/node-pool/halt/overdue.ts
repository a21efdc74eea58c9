import { secondsBetween } from "../../text/rfc3339.ts";
import { overdueSeconds } from "./timeouts.ts";
import type { PoolState } from "../pool/pool-state.ts";
import type { BootcNode } from "../node/bootc-node.ts";

/** Returns the seconds since a node last got a request, a slot, an approval or a command. Infinity if unknown. */
export function secondsSinceRequest(bootcNode: BootcNode | undefined, now: Date): number {
  const { requestedAt, slot, command } = bootcNode ?? {};
  const times = [requestedAt, slot?.acquiredAt, slot?.approvedAt, command?.at];
  return Math.min(...times.map((time) => (time ? secondsBetween(time, now) : Infinity)));
}

/** Reports whether a node has had more time than a reboot takes, so that it may never come back. */
export function isOverdue(name: string, { membership, now }: PoolState): boolean {
  const member = membership.members.find((candidate) => candidate.name === name);
  return secondsSinceRequest(member?.bootcNode, now) >= overdueSeconds;
}
