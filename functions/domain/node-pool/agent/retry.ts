import { secondsBetween } from "../../time.ts";
import type { BootcNode } from "../types.ts";

const firstDelaySeconds = 5;
const mostDoublings = 6;

/** How long a node rests after so many failures in a row: 5 s, doubled each time up to 5 min 20 s, as bootc-operator's daemon does. */
export function retryDelaySeconds(attempts: number): number {
  return firstDelaySeconds * 2 ** Math.min(attempts - 1, mostDoublings);
}

/** How often in a row a node has failed on its way to the image that it is asked for; another image begins anew. */
export function attemptsOf({ command, desiredImage }: BootcNode): number {
  return command?.image === desiredImage ? command.attempts : 0;
}

/** Whether a node has failed and is left alone for now. */
export function isResting(bootcNode: BootcNode, now: Date): boolean {
  const { command, error } = bootcNode;
  const attempts = attemptsOf(bootcNode);
  if (error === null || command === null || attempts === 0) return false;
  return secondsBetween(command.at, now) < retryDelaySeconds(attempts);
}
