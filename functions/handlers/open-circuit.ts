import { recordedAttempt } from "../domain/workload/update/completion.ts";
import type { Task } from "../contract/task.ts";
import { lambda } from "../runtime/lambda.ts";
import { emitEvent } from "../workflows/emit-events.ts";
import { circuitOpenedEvent } from "../domain/workload/event/revert-events.ts";

/** Emits that the circuit is open. The rollback has already recorded it, in the patch that counted the failure. */
export const openCircuit: Task<"OpenCircuit"> = async (ports, input) => {
  const { workload: ref, target, reason } = input;
  const workload = await ports.cluster.read(ref);
  if (workload?.updateRecord.circuitOpen) {
    const { execution } = recordedAttempt(workload, target) ?? input;
    await emitEvent(ports, workload, circuitOpenedEvent(workload, target, execution));
  }
  return { kind: "opened", reason };
};

export const handler = lambda({ openCircuit });
