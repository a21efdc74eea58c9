import { checkInput } from "../contract/poll-input.ts";
import type { Ports } from "../contract/ports.ts";
import type { Invocation } from "../contract/task.ts";
import type { RecordCheckInput, RecordCheckOutput } from "../ports/check-recorder.ts";
import { createHandler } from "../runtime/lambda.ts";
import { noDeadline } from "../workflows/poll/deadline.ts";
import { recordChecks } from "../workflows/poll/record-checks.ts";

/** Records and emits what a poll decided about a batch of workloads, because the poll itself may only read. Idempotent. */
export async function recordCheck(
  ports: Ports,
  { checks }: RecordCheckInput,
  { signal = noDeadline() }: Partial<Invocation> = {},
): Promise<RecordCheckOutput> {
  return { results: await recordChecks(ports, checks, signal) };
}

export const handler = createHandler(checkInput, recordCheck);
