import type { Task } from "../contract/task.ts";
import { checkClaim } from "../domain/workload/update/claim.ts";
import { isSuccessRecorded } from "../domain/workload/update/completion.ts";
import { lambda } from "../runtime/lambda.ts";
import { recordHealthy, reportHealthy } from "../workflows/workload-update/record-success.ts";

/** Records the running version as the current one, releases the claim, and closes the circuit. Records the reason of verdict "unknown", and the frozen pods. */
export const recordSuccess: Task<"RecordSuccess"> = async (ports, input) => {
  const { workload: ref, target, execution } = input;
  const workload = await ports.cluster.read(ref);
  const claim = checkClaim(workload, execution, target);
  if (claim.kind === "held") return recordHealthy(ports, claim, input);
  const isRecorded = workload !== null && isSuccessRecorded(workload, target, execution);
  return isRecorded ? reportHealthy(ports, workload, input) : { kind: "superseded", reason: claim.reason };
};

export const handler = lambda({ recordSuccess });
