import { isRecorded, rollBack as rollbackOf } from "../domain/bookkeeping.ts";
import { claimOf } from "../domain/claim.ts";
import { updateRolledBack } from "../domain/news.ts";
import type { Workload } from "../domain/workload.ts";
import { lambda, type Task } from "../task.ts";
import { tell } from "../telling.ts";

/** Restores what ran before and counts the failure against the version that was tried. */
export const rollBack: Task<"RollBack"> = async (ports, { workload: ref, image, execution, verdict, reason }) => {
  const { cluster, now } = ports;
  const workload = await cluster.read(ref);
  const claim = claimOf(workload, execution, image);
  if (workload !== null && claim.kind === "held") {
    const change = rollbackOf(workload, claim.inFlight, reason, now());
    await cluster.change(workload, change);
    await cluster.freeStuckPods(workload, image);
    await tell(ports, workload, updateRolledBack(image, execution, reason, claim.inFlight.previousImage));
    return { kind: change.bookkeeping?.circuitOpen === true ? "tripped" : "rolled-back", reason };
  }
  const wasCancelled = workload !== null && verdict !== "error" && isCancelled(workload, image);
  if (workload !== null && (wasCancelled || isRecorded(workload, image, "RolledBack"))) {
    await cluster.freeStuckPods(workload, image);
    await tell(ports, workload, updateRolledBack(image, execution, reason, workload.image));
    return { kind: workload.bookkeeping.circuitOpen && !wasCancelled ? "tripped" : "rolled-back", reason };
  }
  return verdict === "error"
    ? { kind: "not-applied", reason }
    : { kind: "superseded", reason: claim.kind === "lost" ? claim.reason : reason };
};

/** An update that its owner switched off leaves nothing in the history: what is left is that it is no longer there. */
function isCancelled({ policy, inFlight, image: now }: Workload, image: string): boolean {
  return !policy.enabled && inFlight === null && now !== image;
}

export const handler = lambda(rollBack);
