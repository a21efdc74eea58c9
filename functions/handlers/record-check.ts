import { checkInput } from "../contract/poll-input.ts";
import type { Ports } from "../contract/ports.ts";
import { type RecordCheckInput, type RecordOutput, recordOutput } from "../ports/check-recorder.ts";
import { createHandler } from "../runtime/lambda.ts";
import { createInProcessCheckRecorder } from "../workflows/poll/record-check.ts";

/** Records and emits what a poll decided, because the poll itself may only read. Idempotent. */
export async function recordCheck(
  ports: Ports,
  { workload: ref, resourceVersion, recordVersion, decision }: RecordCheckInput,
): Promise<RecordOutput> {
  const workload = await ports.cluster.read(ref);
  const subject = `${ref.kind} ${ref.namespace}/${ref.name}`;
  const isAsEvaluated = workload?.resourceVersion === resourceVersion;
  if (workload === null || !isAsEvaluated || workload.record.resourceVersion !== recordVersion) {
    return { kind: "changed", reason: `${subject} was changed or deleted since it was evaluated` };
  }
  return recordOutput(await createInProcessCheckRecorder(ports).record(workload, decision), subject);
}

export const handler = createHandler(checkInput, recordCheck);
