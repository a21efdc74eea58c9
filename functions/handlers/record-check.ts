import { checkInput } from "../polling/check-input.ts";
import { checksHere } from "../polling/checks-here.ts";
import { recordOutput } from "../polling/record-output.ts";
import type { RecordCheckInput, RecordOutput } from "../ports/checks.ts";
import { lambdaOf, type Ports } from "../task.ts";

/** Writes down and tells what a poll decided, for a poll that itself may only read. Repeated, it writes nothing more. */
export async function recordCheck(
  ports: Ports,
  { workload: ref, resourceVersion, decision }: RecordCheckInput,
): Promise<RecordOutput> {
  const workload = await ports.cluster.read(ref);
  const what = `${ref.kind} ${ref.namespace}/${ref.name}`;
  if (workload?.resourceVersion !== resourceVersion) {
    return { kind: "changed", reason: `${what} has changed since it was looked at, or is gone` };
  }
  return recordOutput(await checksHere(ports).record(workload, decision), what);
}

export const handler = lambdaOf(checkInput, recordCheck);
