import { checkInput } from "../polling/check-input.ts";
import { checksHere } from "../polling/checks-here.ts";
import type { RecordCheckInput, RecordCheckOutput } from "../ports/checks.ts";
import { lambdaOf, type Ports } from "../task.ts";

/** Writes down and tells what a poll decided, for a poll that itself may only read. Repeated, it writes nothing more. */
export async function recordCheck(
  ports: Ports,
  { workload: ref, resourceVersion, decision }: RecordCheckInput,
): Promise<RecordCheckOutput> {
  const workload = await ports.cluster.read(ref);
  const what = `${ref.kind} ${ref.namespace}/${ref.name}`;
  if (workload?.resourceVersion !== resourceVersion) {
    return { kind: "changed", reason: `${what} has changed since it was looked at, or is gone` };
  }
  const recorded = await checksHere(ports).record(workload, decision);
  return recorded === "recorded"
    ? { kind: "written", reason: `recorded on ${what}` }
    : { kind: "nothing-new", reason: `nothing is new about ${what}` };
}

export const handler = lambdaOf(checkInput, recordCheck);
