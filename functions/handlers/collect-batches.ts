import { type CollectBatchesInput, collectBatchesInput, type FanOutState } from "../contract/poll-fanout.ts";
import type { Ports } from "../contract/ports.ts";
import type { Invocation } from "../contract/task.ts";
import { createHandler } from "../runtime/lambda.ts";
import { collectRound } from "../workflows/poll/fan-out/collect-round.ts";

/** Ends one round of a poll in batches: plans the next one, or ends the poll. */
export async function collectBatches(
  ports: Ports,
  input: CollectBatchesInput,
  invocation: Partial<Invocation> = {},
): Promise<FanOutState> {
  return collectRound(ports, input, invocation);
}

export const handler = createHandler(collectBatchesInput, { collectBatches });
