import { checkInput } from "../contract/poll-input.ts";
import type { Ports } from "../contract/ports.ts";
import type { Invocation } from "../contract/task.ts";
import type { RecordCheckInput, RecordCheckOutput } from "../ports/check-recorder.ts";
import type { LeaseInput, LeaseOutput } from "../ports/poll-lease.ts";
import { createHandler } from "../runtime/lambda.ts";
import { answerLease } from "../workflows/poll/hold-lease.ts";
import { noDeadline } from "../workflows/poll/deadline.ts";
import { recordChecks } from "../workflows/poll/record/record-checks.ts";

type Options = Partial<Invocation>;

/**
 * Records and emits what a poll decided about a batch of workloads, or takes and releases its lease, because the poll itself may only
 * read. Idempotent.
 */
export function recordCheck(ports: Ports, input: LeaseInput, options?: Options): Promise<LeaseOutput>;
export function recordCheck(ports: Ports, input: RecordCheckInput, options?: Options): Promise<RecordCheckOutput>;
export async function recordCheck(
  ports: Ports,
  input: RecordCheckInput | LeaseInput,
  { signal = noDeadline() }: Options = {},
): Promise<RecordCheckOutput | LeaseOutput> {
  if ("lease" in input) return { lease: await answerLease(ports, input.lease) };
  return { results: await recordChecks(ports, input.checks, signal) };
}

export const handler = createHandler(checkInput, { recordCheck });
