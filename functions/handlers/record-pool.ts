import { isConflict } from "../ports/errors.ts";
import { poolCheckInput } from "../contract/poll-input.ts";
import { recordOutput } from "../ports/check-recorder.ts";
import { createInProcessPoolCheckRecorder } from "../workflows/node-pool-rollout/record-status.ts";
import type { RecordOutput } from "../ports/check-recorder.ts";
import type { RecordPoolInput } from "../ports/pool-check-recorder.ts";
import type { Ports } from "../contract/ports.ts";
import { createHandler } from "../runtime/lambda.ts";

/** Records what a poll found out about a node pool, for a poll that may only read. Idempotent. */
export async function recordPool(
  ports: Ports,
  { pool, resolution: found, gates = [] }: RecordPoolInput,
): Promise<RecordOutput> {
  try {
    return recordOutput(await createInProcessPoolCheckRecorder(ports).record(pool, found, gates), pool.name);
  } catch (error) {
    if (!isConflict(error)) throw error;
    return { kind: "changed", reason: error.message };
  }
}

export const handler = createHandler(poolCheckInput, { recordPool });
