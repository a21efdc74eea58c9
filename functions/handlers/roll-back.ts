import { isRecorded, rollBack as rollbackOf } from "../domain/bookkeeping.ts";
import { claimOf } from "../domain/claim.ts";
import { updateRolledBack } from "../domain/news.ts";
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
  if (workload !== null && isRecorded(workload, image, "RolledBack")) {
    await cluster.freeStuckPods(workload, image);
    await tell(ports, workload, updateRolledBack(image, execution, reason, workload.image));
    return { kind: workload.bookkeeping.circuitOpen ? "tripped" : "rolled-back", reason };
  }
  return verdict === "error"
    ? { kind: "not-applied", reason }
    : { kind: "superseded", reason: claim.kind === "lost" ? claim.reason : reason };
};

export const handler = lambda(rollBack);
