import { recordSuccess as successChange } from "../domain/workload/update-record.ts";
import { checkClaim } from "../domain/workload/claim.ts";
import { updateSucceededEvent } from "../domain/workload/events.ts";
import { isOutcomeRecorded } from "../domain/workload/completion.ts";
import type { Task } from "../contract/task.ts";
import { lambda } from "../runtime/lambda.ts";
import { emitEvent } from "../workflows/emit-events.ts";
import { describeFrozenPods } from "../workflows/workload-update/roll-pod.ts";
import { unknownReason, waitForPostHook } from "../workflows/workload-update/post-hook.ts";
import { restoreStartEvent } from "../workflows/workload-update/start-update.ts";

/** Records the running version as the current one, releases the claim, and closes the circuit. Records the reason of verdict "unknown", and the frozen pods. */
export const recordSuccess: Task<"RecordSuccess"> = async (ports, input) => {
  const { workload: ref, image, execution } = input;
  const { cluster, now } = ports;
  const workload = await cluster.read(ref);
  const claim = checkClaim(workload, execution, image);
  if (workload === null) return { kind: "superseded", reason: "workload not found (deleted or recreated)" };
  if (claim.kind === "lost" && !isOutcomeRecorded(workload, image, "Healthy"))
    return { kind: "superseded", reason: claim.reason };
  const waiting = claim.kind === "held" ? await waitForPostHook(ports, claim) : null;
  if (waiting !== null) return { kind: "hook", reason: waiting };
  const unknown = unknownReason(workload.inFlight, input);
  const note = [unknown, await describeFrozenPods(ports, workload)].filter((one) => one !== null).join("; ");
  if (claim.kind === "held") {
    await restoreStartEvent(ports, claim, input);
    await cluster.change(workload, successChange(workload, claim.inFlight, now(), note || null));
  }
  await emitEvent(ports, workload, updateSucceededEvent(image, execution, note));
  return { kind: "recorded", reason: `all replicas run ${image}` };
};

export const handler = lambda(recordSuccess);
