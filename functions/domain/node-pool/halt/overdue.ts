import { secondsBetween } from "../../text/rfc3339.ts";
import { overdueSeconds } from "./timeouts.ts";
import type { Soak } from "../node/soak.ts";
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

/**
 * Reports whether a node has had the time for its slot and its soak, and is Ready only now and then. An execution does
 * not wait for it: a poll notices when it has stayed Ready.
 */
export function isFlapping(name: string, { membership, unhealthy, now }: PoolState): boolean {
  const slot = membership.members.find((candidate) => candidate.name === name)?.bootcNode.slot;
  const isSlotOverdue = unhealthy.some((one) => one.name === name && one.reason === "SlotOverdue");
  if (!isSlotOverdue || !slot?.bootedAt) return false;
  return secondsBetween(slot.bootedAt, now) >= overdueSeconds;
}

/** How long a node that halts the rollout must stay Ready at least. */
const minRecoverySeconds = 60;

/** Returns how long a slot holder must stay Ready: one that is unhealthy a minute at least. */
export function soakOf(name: string, { pool: { spec }, unhealthy }: Pick<PoolState, "pool" | "unhealthy">): Soak {
  const isUnhealthy = unhealthy.some((one) => one.name === name);
  return { minReadySeconds: isUnhealthy ? Math.max(spec.minReadySeconds, minRecoverySeconds) : spec.minReadySeconds };
}
