import { hostname } from "node:os";
import type { ClaimHolder } from "../adapters/kubernetes/kinds/kind.ts";

const localPrefix = `local:${hostname()}:`;

/** Names this process as the holder of claims: an installation without a state machine on AWS. */
export const localHolderId = `${localPrefix}${process.pid}`;

/** Creates the holder with this id: the ARN of a state machine, or `localHolderId`. */
export function createClaimHolder(id: string): ClaimHolder {
  return {
    id,
    isLost: (other) => other.startsWith(localPrefix) && !isRunning(Number(other.slice(localPrefix.length))),
  };
}

/** Reports whether a process of this machine runs. The signal 0 only asks. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
