import { recordSuccess as successOf } from "../domain/bookkeeping.ts";
import { claimOf } from "../domain/claim.ts";
import { updateSucceeded } from "../domain/news.ts";
import { isRecorded } from "../domain/work-done.ts";
import { lambda, type Task } from "../task.ts";
import { tell } from "../telling.ts";

/** Records what runs now as the current version, lets go of the claim, and closes the circuit. */
export const recordSuccess: Task<"RecordSuccess"> = async (ports, { workload: ref, image, execution }) => {
  const { cluster, now } = ports;
  const workload = await cluster.read(ref);
  const claim = claimOf(workload, execution, image);
  if (workload === null) return { kind: "superseded", reason: "the workload is gone" };
  if (claim.kind === "lost" && !isRecorded(workload, image, "Healthy"))
    return { kind: "superseded", reason: claim.reason };
  if (claim.kind === "held") await cluster.change(workload, successOf(workload, claim.inFlight, now()));
  await tell(ports, workload, updateSucceeded(image, execution));
  return { kind: "recorded", reason: `${image} is what runs now` };
};

export const handler = lambda(recordSuccess);
