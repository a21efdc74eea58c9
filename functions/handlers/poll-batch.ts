import { type PollBatchInput, pollBatchInput, type PollBatchOutput } from "../contract/poll-fanout.ts";
import type { Ports } from "../contract/ports.ts";
import type { Invocation } from "../contract/task.ts";
import { createHandler } from "../runtime/lambda.ts";
import { runBatch } from "../workflows/poll/fan-out/run-batch.ts";

/** Polls one batch of a poll's work list. Idempotent, like a poll. */
export async function pollBatch(
  ports: Ports,
  input: PollBatchInput,
  invocation: Partial<Invocation> = {},
): Promise<PollBatchOutput> {
  return runBatch(ports, input, invocation);
}

export const handler = createHandler(pollBatchInput, { pollBatch });
