import { recordSuccess as successChange } from "../domain/workload/update-record.ts";
import { checkClaim } from "../domain/workload/claim.ts";
import { updateSucceededEvent } from "../domain/workload/events.ts";
import { isOutcomeRecorded } from "../domain/workload/completion.ts";
import type { Task } from "../contract/task.ts";
import { lambda } from "../runtime/lambda.ts";
import { emitEvent } from "../workflows/emit-events.ts";
import { restoreStartEvent } from "../workflows/workload-update/start-update.ts";

/** Records the running version as the current one, releases the claim, and closes the circuit. Verdict "unknown" is recorded with its reason. */
export const recordSuccess: Task<"RecordSuccess"> = async (ports, input) => {
  const { workload: ref, image, execution } = input;
  const { cluster, now } = ports;
  const unknown = input.verdict === "unknown" ? (input.reason ?? null) : null;
  const workload = await cluster.read(ref);
  const claim = checkClaim(workload, execution, image);
  if (workload === null) return { kind: "superseded", reason: "workload not found (deleted or recreated)" };
  if (claim.kind === "lost" && !isOutcomeRecorded(workload, image, "Healthy"))
    return { kind: "superseded", reason: claim.reason };
  if (claim.kind === "held") {
    await restoreStartEvent(ports, claim, input);
    await cluster.change(workload, successChange(workload, claim.inFlight, now(), unknown));
  }
  await emitEvent(ports, workload, updateSucceededEvent(image, execution, unknown ?? ""));
  return { kind: "recorded", reason: `all replicas run ${image}` };
};

export const handler = lambda(recordSuccess);
