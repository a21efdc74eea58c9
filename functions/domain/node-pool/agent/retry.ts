import { secondsBetween } from "../../text/rfc3339.ts";
import type { BootcNode } from "../node/bootc-node.ts";

const firstDelaySeconds = 5;
const maxDoublings = 8;

/**
 * Returns the back-off after a number of consecutive failures: 5 s, doubled each time as in bootc-operator's daemon, up to 21 min 20 s:
 * each attempt needs an execution of about 20 transitions.
 */
export function retryDelaySeconds(attempts: number): number {
  return firstDelaySeconds * 2 ** Math.min(attempts - 1, maxDoublings);
}

/** Returns the number of consecutive failures for the desired image; another image resets it. */
export function commandAttempts({ command, desiredImage }: BootcNode): number {
  return command?.image === desiredImage ? command.attempts : 0;
}

/** Reports whether a node has failed and its back-off has not passed. */
export function isCommandBackingOff(bootcNode: BootcNode, now: Date): boolean {
  const { command, error } = bootcNode;
  const attempts = commandAttempts(bootcNode);
  if (error === null || command === null || attempts === 0) return false;
  return secondsBetween(command.at, now) < retryDelaySeconds(attempts);
}
